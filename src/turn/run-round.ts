import { v7 as newId } from "uuid";
import type { NewMessage, StoredMessage, StoredUsage } from "../chat/stored-message.ts";
import type { Queryable } from "../database/database.ts";
import { cleanText } from "../database/clean-text.ts";
import { describeError } from "../core/describe-error.ts";
import type { CompleteAnswer, Prompt } from "../model/model.ts";
import { isBlank } from "../model/split-thinking.ts";
import type { ActRefusal, NoticeCode } from "../wire/reasons.ts";
import { toHistory, withRemarks, type History } from "./history.ts";
import type { LiveTurn } from "./live-turn.ts";
import { createOffPurposeFilter, cutOffPurpose } from "./off-purpose.ts";
import { planCalls, type AskedCall } from "./plan-calls.ts";
import { isRefusedWithPictures, toQuestionParts, type Question } from "./question.ts";
import { toTurnMessages, type RoundMessages } from "./round-messages.ts";
import { cutOff, runCalls } from "./run-calls.ts";
import { fenced, finish, look, lookAtLock, store, type TaskEnd, toNotice } from "./turn-task.ts";
import { type ShownTools, toOfferedTools, toShownTools, toStoredName } from "./tool-names.ts";
import { turnSource, turnTask, type TurnRooms } from "./turn-rooms.ts";
import { noUsage, type UsageBook } from "./usage-book.ts";

export interface RoundRooms extends TurnRooms {
  readonly usage: UsageBook;
}

/** What a turn's rounds know of each other. */
export interface Talk {
  readonly system: string;
  readonly history: readonly StoredMessage[];
  /** What is sent of it, by whether tools are visible: the same in every round. */
  readonly sent: Map<boolean, History>;
  readonly question: Question;
  readonly rounds: RoundMessages[];
  /** The last round's results on their way into the chat; what it answers ends the turn, unless null. */
  storing: Promise<TaskEnd | null>;
  /** Whether the last answer was cut off. */
  wasCut: boolean;
  /** Whether this turn was reported as off purpose. */
  flagged: boolean;
}

/** One round: check, tools, one call of the model, and what its answer asks for. Null: another round follows. */
export async function runRound(rooms: RoundRooms, live: LiveTurn, talk: Talk): Promise<TaskEnd | null> {
  const { conversationId, userId } = live.fence;
  const { ref } = live.session;
  const [allowed, visible] = await Promise.all([
    rooms.chat.authorize(ref, live.chatSeen ? {} : { conversationId }),
    rooms.core.visibleFor(ref),
  ]);
  const refusal = !allowed.ok
    ? await toReason(rooms, live, allowed.reason)
    : allowed.session.userId !== userId
      ? "session_invalid"
      : null;
  if (refusal !== null) return (await talk.storing) ?? refuse(rooms, live, refusal);
  if (!visible.ok) return (await talk.storing) ?? refuse(rooms, live, visible.reason);
  const shown = toShownTools(visible.tools);
  const messageId = newId();
  // The turn's start saw to it that the first model takes pictures; another may answer by now.
  const seen =
    talk.question.pictures.length === 0 || live.rounds === 1 || (await rooms.models.describe(userId))?.images === true;
  const called = await callModel(rooms, live, { talk, shown, messageId, seen });
  if (typeof called === "string") return called;
  const { answer, usage } = called;
  const asked = look(live);
  if (asked !== null) return asked;
  if (!answer.ok) {
    if (answer.reason === "aborted") return "failed";
    if (live.rounds === 1 && talk.question.pictures.length > 0 && isRefusedWithPictures(answer)) {
      return takeFilesBack(rooms, live, { id: talk.question.id, usage });
    }
    return finish(rooms, live, { how: "notice", messages: [toNotice(answer.reason, usage)] });
  }

  const { text, reason } = cutOffPurpose(cleanText(answer.text));
  if (reason !== null) await flag(rooms, live, { talk, reason });
  const calls = toCalls(answer, shown);
  const last = live.rounds >= live.values.maxToolRounds;
  const usedBy = usage ?? noUsage;
  if (isBlank(text) && calls.length === 0) {
    if (answer.end === "continue" && !last) return null;
    // a model that used up its length by thinking was cut off, and is told as that
    const code = answer.end === "cut" ? "answer_truncated" : "empty_answer";
    return finish(rooms, live, { how: "notice", messages: [toNotice(code, usage)] });
  }
  const message: NewMessage = {
    role: "assistant",
    id: messageId,
    text: isBlank(text) ? "" : text.trimEnd(),
    calls: calls.map(({ call }) => call),
    usage: usedBy,
  };
  const planned = planCalls(calls, { shown, most: live.values.maxCallsPerRound });
  const round = { message, planned, asked: calls, shown, last };
  if (answer.end === "cut") return cutOff(rooms, live, { ...round, talk });
  talk.wasCut = false;
  if (calls.length > 0) return runCalls(rooms, live, { ...round, talk });
  if (answer.end !== "continue") return finish(rooms, live, { how: "answer", messages: [message] });
  if (last) return finish(rooms, live, { how: "notice", messages: [message, toNotice("round_limit", null)] });
  const end = await store(rooms, live, [message]);
  if (end !== null) return end;
  live.telling.stored();
  talk.rounds.push({ text: message.text, calls: [], results: [] });
  return null;
}

/** Without its pictures the message could have been answered: its user decides what is sent again. */
async function takeFilesBack(
  rooms: RoundRooms,
  live: LiveTurn,
  { id, usage }: { readonly id: string; readonly usage: StoredUsage | null },
): Promise<TaskEnd> {
  const { userId } = live.fence;
  const giveBack = (on: Queryable): Promise<void> => rooms.attachments.giveBack(on, { userId, messageId: id });
  const halt = await fenced(rooms, live, () => rooms.chat.takeFilesBack(live.fence, { id, giveBack }));
  return halt ?? finish(rooms, live, { how: "notice", messages: [toNotice("pictures_taken_back", usage)] });
}

const noticeOf: Readonly<Record<Exclude<ActRefusal, "not_found">, NoticeCode>> = {
  session_invalid: "session_ended",
  session_unavailable: "session_unavailable",
  impersonated: "impersonated",
  not_allowed: "not_allowed",
  assistant_off: "assistant_off",
};

/** A chat that is not there may be another user's: a host may give a ref to somebody else. Then this sign-in is over. */
async function toReason(rooms: RoundRooms, live: LiveTurn, reason: ActRefusal): Promise<ActRefusal> {
  if (reason !== "not_found") return reason;
  const loaded = await rooms.core.loadSession(live.session.ref);
  return loaded.ok && loaded.session.userId !== live.fence.userId ? "session_invalid" : reason;
}

/** A deleted chat ends its turn quietly; any other refusal with a notice of its own. */
async function refuse(rooms: RoundRooms, live: LiveTurn, reason: ActRefusal): Promise<TaskEnd> {
  if (reason === "not_found") return "gone";
  return finish(rooms, live, { how: "notice", messages: [toNotice(noticeOf[reason], null)] });
}

interface ModelCallOf {
  readonly talk: Talk;
  readonly shown: ShownTools;
  readonly messageId: string;
  /** Whether the model sees pictures. */
  readonly seen: boolean;
}

/** Calls the model, once the last round's results are stored and the lock is held. Both may end the turn instead. */
async function callModel(
  rooms: RoundRooms,
  live: LiveTurn,
  of: ModelCallOf,
): Promise<{ readonly answer: CompleteAnswer; readonly usage: StoredUsage | null } | TaskEnd> {
  const { fence, turnId, telling } = live;
  const { messageId, talk } = of;
  const filter = createOffPurposeFilter();
  const prepared = await rooms.models.prepare({
    userId: fence.userId,
    admission: live.admission,
    source: turnSource,
    task: turnTask,
    prompt: toPrompt(live, of),
    tools: toOfferedTools([...of.shown.values()]),
    attribution: { messageId, turnId },
    mayCapture: talk.question.pictures.length === 0,
    onEnding: live.beside,
    onText: (delta) => telling.delta(filter.push(delta)),
    signal: live.signal,
    stopRequested: () => live.asked() !== null || live.lost(),
    deadline: live.deadline,
  });
  const [stored] = await Promise.all([talk.storing, prepared.begin.alone()]);
  const halt = stored ?? (await lookAtLock(rooms, live));
  if (halt !== null) {
    await prepared.drop();
    return halt;
  }
  live.chatSeen = false;
  telling.activity("thinking");
  rooms.usage.expect(messageId);
  try {
    const answer = await prepared.run();
    if (answer.ok) telling.delta(filter.end());
    return { answer, usage: rooms.usage.take(messageId) };
  } finally {
    rooms.usage.take(messageId);
  }
}

function toPrompt(live: LiveTurn, { talk, shown, seen }: ModelCallOf): Prompt {
  const { historyChars, toolResultChars, attachmentChars: characters } = live.values;
  const { text, pictures } = toQuestionParts(talk.question, { characters, seen });
  const toolsVisible = shown.size > 0;
  const room = { characters: historyChars, toolsVisible };
  const { messages, remarks } = talk.sent.get(toolsVisible) ?? toHistory(talk.history, room);
  talk.sent.set(toolsVisible, { messages, remarks });
  return {
    system: talk.system,
    messages: [
      ...messages,
      { role: "user", text: withRemarks(remarks, text), ...(pictures.length > 0 && { pictures }) },
      ...toTurnMessages(talk.rounds, { characters: 10 * toolResultChars, toolsVisible }),
    ],
  };
}

// A model gone astray may ask for thousands: a tenth of these is run at most, and the rest would only be denied.
const mostStored = 100;

/** Calls as they are stored; one without a name is neither run, stored nor sent back. */
function toCalls(answer: Extract<CompleteAnswer, { readonly ok: true }>, shown: ShownTools): readonly AskedCall[] {
  return answer.calls
    .filter(({ name }) => name.trim() !== "")
    .slice(0, mostStored)
    .map(({ id, providerId, name, argumentsText, providerMetadata }) => ({
      nameAsked: name,
      call: {
        id,
        providerId,
        name: toStoredName(name, shown),
        arguments: cleanText(argumentsText),
        ...(providerMetadata !== undefined && { providerMetadata }),
      },
    }));
}

/** Once a turn. The answer goes on whether or not the flag could be stored. */
async function flag(
  rooms: RoundRooms,
  live: LiveTurn,
  { talk, reason }: { readonly talk: Talk; readonly reason: string },
): Promise<void> {
  if (talk.flagged) return;
  talk.flagged = true;
  const { turnId, fence } = live;
  try {
    await rooms.models.reportOffPurpose({ userId: fence.userId, turnId, reason });
  } catch (error) {
    rooms.logger.error({ turnId, error: describeError(error) }, "an off-purpose flag could not be stored");
  }
}
