import { v7 as uuid, validate } from "uuid";
import type { Beside } from "../database/beside.ts";
import { cleanText } from "../database/clean-text.ts";
import { textHash } from "./canonical-hash.ts";
import type { RegisteredTool } from "./registry.ts";
import type { CoreRoom } from "./room.ts";
import type { RequestContext } from "./session.ts";
import { type CountToReturn, insertRefusedCall, insertToolCall, type ToolCallRow } from "./tool-calls.sql.ts";

/** What is known of one execution for its audit row, and when it began. */
export interface Trace {
  readonly row: ToolCallRow;
  readonly startedAt: number;
}

interface Traced {
  readonly sessionRef: string;
  readonly userId: string;
  readonly tool: string;
  readonly registered: RegisteredTool | undefined;
  readonly step: ToolCallRow["step"];
  readonly via: string;
  readonly requestContext: RequestContext;
  readonly confirmationId: string | null;
  readonly startedAt: number;
}

/** Begins the audit of one execution. Nothing of its arguments is in it; a name that is no tool's is kept only if it is shaped like one. */
export function toTrace(traced: Traced): Trace {
  const { registered } = traced;
  return {
    startedAt: traced.startedAt,
    row: {
      id: uuid(),
      userId: traced.userId,
      sessionHash: textHash(traced.sessionRef),
      tool: registered?.name ?? (/^[a-z0-9_.]{1,129}$/.test(traced.tool) ? traced.tool : ""),
      kind: registered?.tool.kind ?? "unknown",
      step: traced.step,
      via: toShort(traced.via),
      requestId: toShort(traced.requestContext.requestId),
      confirmationId: isUuid(traced.confirmationId) ? traced.confirmationId : null,
    },
  };
}

/** Whether a text can name a row. Anything else is never sent to the database as one. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && validate(value);
}

/** Whole milliseconds since the execution began. */
export function durationOf(room: CoreRoom, trace: Trace): number {
  return Math.max(0, Math.round(room.now() - trace.startedAt));
}

/** The audit row of an execution that is over, to be written. */
export function toRecord(room: CoreRoom, trace: Trace, code: string | null): Beside {
  const statement = insertToolCall(trace.row, { code, durationMs: durationOf(room, trace) });
  return { statement, written: () => {}, alone: async () => void (await room.database.query(statement)) };
}

/** Writes the audit row of an execution that is over. */
export async function recordCall(room: CoreRoom, trace: Trace, code: string | null): Promise<void> {
  await toRecord(room, trace, code).alone();
}

/** Writes the audit row of an execution that was counted and then not let through: its count is given back. */
export async function recordRefused(
  room: CoreRoom,
  trace: Trace,
  ended: { readonly code: string; readonly giveBack: CountToReturn },
): Promise<void> {
  await room.database.query(insertRefusedCall(trace.row, { ...ended, durationMs: durationOf(room, trace) }));
}

function toShort(text: unknown): string {
  return typeof text === "string" ? cleanText(text.slice(0, 200)) : "";
}
