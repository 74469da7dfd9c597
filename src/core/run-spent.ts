import { askAgain } from "./ask-again.ts";
import { endSpent } from "./confirmations.sql.ts";
import type { RedeemAnswer, Redemption } from "./core.ts";
import { describeError } from "./describe-error.ts";
import type { CoreRoom } from "./room.ts";
import { type HandlerAnswer, runHandler } from "./run-handler.ts";
import type { Session } from "./session.ts";
import { languageOf, toContext } from "./tool-context.ts";
import type { AnyWriteTool, Json } from "./tool.ts";
import { durationOf, type Trace } from "./trace.ts";

/** A write whose row this execution has spent. */
export interface SpentWrite {
  readonly tool: AnyWriteTool;
  readonly call: Redemption;
  readonly session: Session;
  readonly input: never;
  readonly trace: Trace;
  /** The fresh dry run's data. */
  readonly data: Json | undefined;
}

/** Runs the handler of a spent row, once, and writes how it ended, also when that is after its time. */
export async function runSpent(room: CoreRoom, spent: SpentWrite): Promise<RedeemAnswer> {
  const { tool, call, session, input, trace } = spent;
  const { confirmationId } = trace.row;
  const run = {
    row: trace.row,
    timeLimit: tool.timeLimit,
    signal: undefined,
    after: (late: HandlerAnswer) => void writeEnd(room, trace, { succeeded: late.ok, code: "timeout", flush: "on" }),
  };
  const answer = await runHandler(room, run, (signal) => {
    const ctx = toContext({ session, call, signal, language: languageOf(session) });
    // The data its own dry run answered, read back: of the type that the tool gave it.
    const preview = { data: spent.data as never };
    return tool.run({ ...ctx, idempotencyKey: String(confirmationId), preview }, input);
  });
  const ended = toRedeemed(answer);
  const succeeded = answer.ok ? true : answer.reason === "timeout" ? null : false;
  const flush = call.followed === true ? "off" : "on";
  await writeEnd(room, trace, { succeeded, code: ended.ok ? null : ended.reason, flush });
  return ended;
}

type Ended =
  | Extract<RedeemAnswer, { readonly ok: true }>
  | (RedeemAnswer & { readonly reason: "handler_failed" | "timeout" });

/** A handler that refuses has failed: its row is spent, and a refusal would say that nothing happened. */
function toRedeemed(answer: HandlerAnswer): Ended {
  if (answer.ok || answer.reason !== "refused_by_tool") return answer;
  return { ok: false, reason: "handler_failed", sentence: answer.sentence };
}

/** An end that cannot be written changes nothing of what happened: it is logged, and the row reads as not known. */
async function writeEnd(
  room: CoreRoom,
  trace: Trace,
  end: { readonly succeeded: boolean | null; readonly code: string | null; readonly flush: "on" | "off" },
): Promise<void> {
  const statement = endSpent(trace.row, { ...end, durationMs: durationOf(room, trace) });
  try {
    await askAgain(() => room.database.query(statement));
  } catch (error) {
    const { tool, requestId, confirmationId } = trace.row;
    room.logger.error(
      { tool, requestId, confirmationId, error: describeError(error) },
      "the end of a confirmed write could not be written",
    );
  }
}
