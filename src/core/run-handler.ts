import { callHost, type HostAnswer } from "./call-host.ts";
import type { CoreRefusal, RefusedByTool } from "./core.ts";
import { describeError } from "./describe-error.ts";
import { isRefusal } from "./refuse.ts";
import type { CoreRoom } from "./room.ts";
import type { ToolCallRow } from "./tool-calls.sql.ts";

export type HandlerAnswer =
  | { readonly ok: true; readonly result: unknown }
  | CoreRefusal<"handler_failed" | "timeout">
  | RefusedByTool;

export interface HandlerRun {
  readonly row: ToolCallRow;
  readonly timeLimit: number | undefined;
  /** Stops the wait for a read; a write's handler is never stopped by its caller. */
  readonly signal: AbortSignal | undefined;
  /** Told how a handler ended that was not waited for any more. */
  readonly after?: (answer: HandlerAnswer) => void;
}

/** Runs a handler of the host under its limit: the one place where what it throws is caught. */
export async function runHandler(
  room: CoreRoom,
  run: HandlerRun,
  work: (signal: AbortSignal) => unknown,
): Promise<HandlerAnswer> {
  const { after, signal } = run;
  const answer = await callHost(work, {
    limit: limitOf(room, run.timeLimit),
    signal,
    after: (late) => after?.(toAnswer(room, run, late)),
  });
  return toAnswer(room, run, answer);
}

/** A tool's time limit in milliseconds. */
export function limitOf(room: CoreRoom, timeLimit: number | undefined): number {
  return timeLimit ?? room.settings.fixed.toolTimeLimit;
}

function toAnswer(room: CoreRoom, { row }: HandlerRun, answer: HostAnswer<unknown>): HandlerAnswer {
  const fields = { tool: row.tool, requestId: row.requestId, confirmationId: row.confirmationId };
  if (answer.how === "late" || answer.how === "stopped") {
    room.logger.warn({ ...fields, how: answer.how }, "a handler gave no answer in time");
    return { ok: false, reason: "timeout" };
  }
  const given = answer.how === "answered" ? answer.value : answer.error;
  if (isRefusal(given)) {
    return { ok: false, reason: "refused_by_tool", code: given.refusal.code, sentence: given.refusal.sentence };
  }
  if (answer.how === "answered") return { ok: true, result: answer.value };
  room.logger.error({ ...fields, error: describeError(answer.error) }, "a handler failed");
  return { ok: false, reason: "handler_failed" };
}
