import { v7 as uuid } from "uuid";
import { invariant } from "../outcome.ts";
import { insertHeld } from "./confirmations.sql.ts";
import type { Call, ExecuteAnswer, PreparedExecute } from "./core.ts";
import { dryRun, toStoredPreview } from "./dry-run.ts";
import { type Passed, prepare } from "./let-through.ts";
import type { CoreRoom } from "./room.ts";
import { runHandler } from "./run-handler.ts";
import { languageOf, toContext } from "./tool-context.ts";
import type { AnyReadTool, AnyWriteTool } from "./tool.ts";
import { durationOf, recordCall, toRecord, type Trace } from "./trace.ts";

/** A call of a tool: a read runs, a write is rehearsed and held. No path from here reaches a write's handler. */
export async function execute(room: CoreRoom, sessionRef: string, call: Call): Promise<ExecuteAnswer> {
  return (await prepareExecute(room, sessionRef, call)).run();
}

/** The same in two steps: what has to be looked at before, and the call. */
export async function prepareExecute(room: CoreRoom, sessionRef: string, call: Call): Promise<PreparedExecute> {
  const { count, finish } = await prepare(room, sessionRef, { call, confirmationId: null });
  return {
    count,
    async run() {
      const passed = await finish();
      if (!passed.ok) return passed;
      const { tool } = passed.registered;
      return tool.kind === "read" ? read(room, { tool, call, passed }) : hold(room, { tool, call, passed });
    },
  };
}

interface Step<Tool> {
  readonly tool: Tool;
  readonly call: Call;
  readonly passed: Passed;
}

async function read(room: CoreRoom, { tool, call, passed }: Step<AnyReadTool>): Promise<ExecuteAnswer> {
  const { session, input, trace } = passed;
  const language = languageOf(session);
  const run = { row: trace.row, timeLimit: tool.timeLimit, signal: call.signal };
  const answer = await runHandler(room, run, (signal) =>
    tool.run(toContext({ session, call, signal, language }), input),
  );
  const record = toRecord(room, trace, codeOf(answer));
  if (call.onRecord === undefined) await record.alone();
  else call.onRecord(record);
  return answer.ok ? { ok: true, status: "done", result: answer.result } : answer;
}

async function hold(room: CoreRoom, { tool, call, passed }: Step<AnyWriteTool>): Promise<ExecuteAnswer> {
  const { session, registered, args, input, site, trace } = passed;
  const language = languageOf(session);
  const rehearsed = await dryRun(room, { registered, tool, session, args, input, call, language });
  if (!rehearsed.ok) {
    await recordCall(room, trace, codeOf(rehearsed));
    return rehearsed;
  }
  const { preview, argsHash, fingerprint } = rehearsed;
  const held = {
    id: uuid(),
    module: registered.module.key,
    toolTitle: registered.title,
    argsHash,
    shown: toStoredPreview(preview),
    fingerprint,
    ttlSeconds: site.values.confirmationTtl,
    ...language,
  };
  const expiresAt = await write(room, { call, held, trace });
  const { shown } = preview;
  return { ok: true, status: "confirmation_required", confirmationId: held.id, expiresAt, preview: shown };
}

/** Writes the row of a held write, or hands it over to be written with its card; answers when it will run out. */
async function write(
  room: CoreRoom,
  {
    call,
    held,
    trace,
  }: { readonly call: Call; readonly held: Parameters<typeof insertHeld>[0]; readonly trace: Trace },
): Promise<Date> {
  const statement = insertHeld(held, trace.row, durationOf(room, trace));
  if (call.onRecord === undefined) {
    const [written] = await room.database.query<{ readonly expiresAt: Date }>(statement);
    invariant(written !== undefined, "a held write has its row");
    return written.expiresAt;
  }
  const alone = async (): Promise<void> => void (await room.database.query(statement));
  call.onRecord({ statement, written: () => {}, alone });
  return new Date(Date.now() + held.ttlSeconds * 1_000);
}

/** What an audit row says of an answer: a tool's own code, a reason of core, or nothing when it went well. */
export function codeOf(
  answer: { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly code?: string },
): string | null {
  if (answer.ok) return null;
  return answer.code ?? answer.reason;
}
