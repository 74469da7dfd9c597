import { v7 as newId } from "uuid";
import type { NewMessage, StoredCall } from "../chat/stored-message.ts";
import type { VisibleTool } from "../core/core.ts";
import type { LiveTurn } from "./live-turn.ts";
import { afterHeld, type AskedCall, type Denial, type PlannedCall, toDenialWords } from "./plan-calls.ts";
import type { RoundMessages } from "./round-messages.ts";
import type { RoundRooms, Talk } from "./run-round.ts";
import { toSentArguments } from "./sent-arguments.ts";
import { finish, look, lookAtLock, store, type TaskEnd, toNotice } from "./turn-task.ts";
import { type ShownTools, toSentName } from "./tool-names.ts";
import { toToolResult } from "./tool-result.ts";

/** An answer with calls, and what its round knows of them. */
export interface AnswerWithCalls {
  readonly message: Extract<NewMessage, { readonly role: "assistant" }>;
  readonly planned: readonly PlannedCall[];
  readonly asked: readonly AskedCall[];
  readonly shown: ShownTools;
  /** Whether no round may follow. */
  readonly last: boolean;
  readonly talk: Talk;
}

type ToolMessage = Extract<NewMessage, { readonly role: "tool" }>;
type Run = Extract<PlannedCall, { readonly tool: VisibleTool }>;

/**
 * Stores an answer with what is denied of it, then runs the rest one after another. A held write ends the turn: its
 * card, and a denial for each call after it, are the turn's last statement.
 */
export async function runCalls(rooms: RoundRooms, live: LiveTurn, answer: AnswerWithCalls): Promise<TaskEnd | null> {
  const { message, planned, last } = answer;
  const runs = planned.filter((plan): plan is Run => "tool" in plan);
  const results: ToolMessage[] = planned.flatMap((plan) => ("denied" in plan ? [deny(live, answer, plan)] : []));
  let unstored: NewMessage[] = [message, ...results];
  for (const [index, { call, tool }] of runs.entries()) {
    if (tool.kind === "write" && (await isWaiting(rooms, live, { tool, call }))) {
      add(deny(live, answer, { call, denied: "already_waiting" }));
      continue;
    }
    const prepared = await rooms.core.prepare(live.session.ref, {
      tool: tool.name,
      args: call.arguments,
      via: "agent",
      onRecord: live.beside,
      requestContext: live.requestContext,
      signal: live.signal,
    });
    // The answer is in the chat before anything is done in its name; the call's count is written with it.
    if (prepared.count !== null) live.beside(prepared.count);
    const halt = (await storeAll()) ?? (await lookAtLock(rooms, live));
    if (halt !== null) return halt;
    live.telling.activity("tool", tool.title);
    const done = await prepared.run();
    // Abandoned: what a tool answers to its signal is no result of it.
    if (live.signal.aborted) return look(live);
    if (done.ok && done.status === "confirmation_required") {
      const rest = runs
        .slice(index + 1)
        .map((run) => deny(live, answer, { call: run.call, denied: afterHeld(run.tool) }));
      const card = { ...toolMessage(answer, call), role: "card", confirmationId: done.confirmationId } as const;
      return finish(rooms, live, { how: "card", messages: [...unstored, ...rest, card] });
    }
    const { status, text } = toToolResult(done, live.values.toolResultChars);
    add({ ...toolMessage(answer, call), role: "tool", status, result: text });
  }
  if (last) return finish(rooms, live, { how: "notice", messages: [...unstored, toNotice("round_limit", null)] });
  // On their way while the next round is looked at; no model is called before they are there.
  answer.talk.storing = storeAll();
  answer.talk.rounds.push(toRoundMessages(answer, results));
  return null;

  function add(result: ToolMessage): void {
    results.push(result);
    unstored.push(result);
  }

  async function storeAll(): Promise<TaskEnd | null> {
    const end = await store(rooms, live, unstored);
    if (end === null) {
      unstored = [];
      live.telling.stored();
    }
    return end;
  }
}

/** A cut-off answer runs nothing. The turn goes on once; a second one running, or one of the last round, ends it. */
export async function cutOff(rooms: RoundRooms, live: LiveTurn, answer: AnswerWithCalls): Promise<TaskEnd | null> {
  const { message, planned, last, talk } = answer;
  const results = planned.map(({ call }) => deny(live, answer, { call, denied: "cut_off" }));
  if (talk.wasCut || last) {
    const notice = toNotice("answer_truncated", null);
    return finish(rooms, live, { how: "notice", messages: [message, ...results, notice] });
  }
  const end = await store(rooms, live, [message, ...results]);
  if (end !== null) return end;
  live.telling.stored();
  talk.wasCut = true;
  talk.rounds.push(toRoundMessages(answer, results));
  return look(live);
}

function deny(
  live: LiveTurn,
  answer: AnswerWithCalls,
  { call, denied }: { readonly call: StoredCall; readonly denied: Denial },
): ToolMessage {
  const result = toDenialWords(denied, { shown: answer.shown, most: live.values.maxCallsPerRound });
  return { ...toolMessage(answer, call), role: "tool", status: "denied", result };
}

function toolMessage(
  { message }: AnswerWithCalls,
  call: StoredCall,
): Pick<ToolMessage, "id" | "callId" | "tool" | "assistantMessageId"> {
  return { id: newId(), callId: call.id, tool: call.name, assistantMessageId: message.id };
}

/** Whether a card of the chat still waits for this very write. */
async function isWaiting(rooms: RoundRooms, live: LiveTurn, run: Run): Promise<boolean> {
  const hash = rooms.core.argumentsHash(run.call.arguments);
  if (hash === null) return false;
  const { userId, conversationId } = live.fence;
  const cards = await rooms.chat.cardsOf(userId, { conversationId, messageIds: [], andWaiting: true });
  return cards.some(
    ({ tool, outcome, call }) =>
      tool === run.tool.name && outcome === null && call !== null && rooms.core.argumentsHash(call.arguments) === hash,
  );
}

function toRoundMessages({ message, asked, shown }: AnswerWithCalls, results: readonly ToolMessage[]): RoundMessages {
  const names = new Map(
    asked.map(({ call, nameAsked }) => [call.id, shown.has(nameAsked) ? nameAsked : toSentName(call.name)]),
  );
  const texts = new Map(results.map(({ callId, result }) => [callId, result]));
  return {
    text: message.text,
    calls: message.calls.map(({ id, name, arguments: args, providerMetadata }) => ({
      id,
      name: names.get(id) ?? toSentName(name),
      arguments: toSentArguments(args),
      ...(providerMetadata !== undefined && { providerMetadata }),
    })),
    results: message.calls.map(({ id, name }) => ({
      callId: id,
      name: names.get(id) ?? toSentName(name),
      text: texts.get(id) ?? "not run",
    })),
  };
}
