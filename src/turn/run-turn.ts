// The one loop of a turn: stores the question, settles lapsed cards, reads the history, then round after round until the
// turn's last statement. It decides when a turn is over, not who may act (chat, core), what is said (the model) or what
// becomes of a turn that does not come this far (the monitor).
import { v7 as newId } from "uuid";
import type { NewQuestion, QuestionStored } from "../chat/chat.ts";
import type { StoredMessage } from "../chat/stored-message.ts";
import { filesTakenBack } from "../chat/turn-messages.ts";
import { isBlank } from "../model/split-thinking.ts";
import { invariant } from "../outcome.ts";
import type { LiveTurn } from "./live-turn.ts";
import { runRound, type RoundRooms, type Talk } from "./run-round.ts";
import { readQuestion, withFilesOf } from "./question.ts";
import { toSystemPrompt } from "./system-prompt.ts";
import { fenced, finish, look, type TaskEnd, toNotice } from "./turn-task.ts";

export async function runTurn(rooms: RoundRooms, live: LiveTurn): Promise<TaskEnd> {
  let stored: QuestionStored | null = null;
  const id = newId();
  const seesAll = await seesItsPictures(rooms, live);
  const halt =
    look(live) ??
    (await fenced(rooms, live, async () => {
      stored = await rooms.chat.storeQuestion(live.fence, toNewQuestion(rooms, live, { id, seesAll }));
      return stored;
    }));
  if (halt !== null) return halt;
  const question = known(stored);
  // A file was taken away between the start and now: the turn ends as one that stored nothing.
  if (question.unlinked === true) return "failed";
  live.questionStored = true;
  if (!seesAll) {
    await rooms.attachments.keepWaiting(
      live.fence.userId,
      live.files.map((file) => file.id),
    );
    return finish(rooms, live, { how: "notice", messages: [toNotice("pictures_not_seen", null)] });
  }

  const { userId, conversationId } = live.fence;
  live.chatSeen = true;
  if (question.openCards === true) await rooms.confirmations.settleLapsedInTurn(userId, { conversationId });
  const history = await readHistory(rooms, live, question);
  const talk: Talk = {
    system: toSystemPrompt(toFacts(rooms, live), rooms.prompt),
    history: await withFilesOf(rooms, live, history),
    question: await readQuestion(rooms, live, id),
    sent: new Map(),
    storing: Promise.resolve(null),
    rounds: [],
    wasCut: false,
    flagged: false,
  };
  for (live.rounds = 1; ; live.rounds++) {
    const asked = look(live);
    const end = asked === null ? await runRound(rooms, live, talk) : ((await talk.storing) ?? asked);
    if (end !== null) return end;
    invariant(live.rounds < live.values.maxToolRounds, "the last round ends its turn");
  }
}

/** False: there are pictures, and the model is not known to take any. */
async function seesItsPictures(rooms: RoundRooms, live: LiveTurn): Promise<boolean> {
  if (!live.files.some(({ picture }) => picture)) return true;
  return (await rooms.models.describe(live.fence.userId))?.images === true;
}

/** The message with its files; without them where they go back to the composer unsent. */
function toNewQuestion(
  { attachments }: RoundRooms,
  { fence, text, files, values }: LiveTurn,
  { id, seesAll }: { readonly id: string; readonly seesAll: boolean },
): NewQuestion {
  if (!seesAll) return { id, text: isBlank(text) ? filesTakenBack : text };
  if (files.length === 0) return { id, text, history: { characters: values.historyChars } };
  const { userId, conversationId } = fence;
  const ids = files.map((file) => file.id);
  return {
    id,
    text,
    files: { sent: files, link: (on) => attachments.link(on, { userId, conversationId, messageId: id, ids }) },
  };
}

/** Earlier turns. A window that begins within a turn longer than itself is read wider, once, so that its question is in it. */
async function readHistory(
  rooms: RoundRooms,
  live: LiveTurn,
  { lastSeq, history }: QuestionStored,
): Promise<readonly StoredMessage[]> {
  const { userId, conversationId } = live.fence;
  const beforeSeq = lastSeq ?? 2 ** 31 - 1;
  const characters = live.values.historyChars;
  const rows = history ?? (await rooms.chat.history(userId, { conversationId, characters, beforeSeq }));
  if (rows.length === 0 || rows.some((row) => row.role === "user")) return rows;
  return rooms.chat.history(userId, { conversationId, characters: characters * 10, beforeSeq });
}

function known(stored: QuestionStored | null): QuestionStored {
  invariant(stored !== null, "a statement that was done has answered");
  return stored;
}

function toFacts({ hostName }: RoundRooms, live: LiveTurn): Parameters<typeof toSystemPrompt>[0] {
  const { session, values, startedAt } = live;
  return {
    hostName,
    userInstructions: values.instructions,
    instructionsChars: values.instructionsChars,
    locale: session.locale ?? "en",
    timeZone: session.timeZone ?? "UTC",
    startedAt,
  };
}
