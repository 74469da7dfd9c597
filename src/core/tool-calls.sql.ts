import { sql, type Statement } from "../database/sql.ts";
import type { Bucket } from "./rates.sql.ts";

/** One execution, for audit. Never arguments, previews or results. */
export interface ToolCallRow {
  readonly id: string;
  readonly userId: string;
  readonly sessionHash: string;
  readonly tool: string;
  readonly kind: "read" | "write" | "unknown";
  readonly step: "read" | "hold" | "redeem" | "reject";
  readonly via: string;
  readonly requestId: string;
  readonly confirmationId: string | null;
}

/** A count that a later check takes back. */
export interface CountToReturn {
  readonly bucket: Bucket;
  readonly tool: string;
  readonly toolWindow: string | null;
  readonly window: string | null;
}

/** Writes the row of an execution that is over. */
export function insertToolCall(
  row: ToolCallRow,
  ended: { readonly code: string | null; readonly durationMs: number },
): Statement {
  return sql`
    insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, code, confirmation_id, duration_ms)
    values (${row.userId}, ${row.id}::uuid, ${row.sessionHash}, ${row.tool}, ${row.kind}, ${row.step}, ${row.via},
            ${row.requestId}, ${ended.code}, ${row.confirmationId}::uuid, ${ended.durationMs}::int)`;
}

/** Gives a count back and writes the row of the execution that was not let through after all. Tool before user, as they are counted, so that two statements never wait for each other. */
export function insertRefusedCall(
  row: ToolCallRow,
  ended: { readonly code: string; readonly durationMs: number; readonly giveBack: CountToReturn },
): Statement {
  const { giveBack } = ended;
  return sql`
    with of_tool as (
      update rates set used = used - 1
       where user_id = ${row.userId} and bucket = ${giveBack.bucket} and tool = ${giveBack.tool}
         and window_start = ${giveBack.toolWindow}::timestamptz and used > 0
      returning 1
    ), of_user as (
      update rates set used = used - 1
       where user_id = ${row.userId} and bucket = ${giveBack.bucket} and tool = ''
         and window_start = ${giveBack.window}::timestamptz and used > 0
         and (select count(*) from of_tool) >= 0
    )
    insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, code, confirmation_id, duration_ms)
    values (${row.userId}, ${row.id}::uuid, ${row.sessionHash}, ${row.tool}, ${row.kind}, ${row.step}, ${row.via},
            ${row.requestId}, ${ended.code}, ${row.confirmationId}::uuid, ${ended.durationMs}::int)`;
}
