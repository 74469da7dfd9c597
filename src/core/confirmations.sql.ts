import { sql, type Statement } from "../database/sql.ts";
import type { ToolCallRow } from "./tool-calls.sql.ts";

// Every statement here is one round trip and names the user. A row is locked before it is judged: the clock and the
// status are then read after any wait for another who was changing it. Each look at a table names the row by its whole
// key: a plan made while the tables were empty would else read every row of the user.

/** What a click found: `done`, or what the row is instead. */
export interface ClickedRow {
  readonly done: boolean;
  readonly status: "held" | "used" | "rejected" | "replaced" | "expired" | null;
  readonly replacedBy: string | null;
}

/** A write to be held, with what its card shows. `shown` is the preview as JSON text. */
export interface HeldWrite {
  readonly id: string;
  readonly module: string;
  readonly toolTitle: string;
  readonly argsHash: string;
  readonly shown: string;
  readonly fingerprint: string;
  readonly ttlSeconds: number;
}

/** Holds a write: its row and the audit row of the call that asked for it. */
export function insertHeld(
  held: HeldWrite & { readonly locale: string; readonly timeZone: string },
  call: ToolCallRow,
  durationMs: number,
): Statement {
  return sql`
    with held as (
      insert into confirmations (user_id, id, session_hash, module, tool, tool_title, locale, time_zone, args_hash, preview, fingerprint, expires_at)
      values (${call.userId}, ${held.id}::uuid, ${call.sessionHash}, ${held.module}, ${call.tool}, ${held.toolTitle}, ${held.locale},
              ${held.timeZone}, ${held.argsHash}, ${held.shown}::jsonb, ${held.fingerprint},
              clock_timestamp() + make_interval(secs => ${held.ttlSeconds}::float8))
      returning expires_at
    ), audited as (
      insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, code, confirmation_id, duration_ms)
      values (${call.userId}, ${call.id}::uuid, ${call.sessionHash}, ${call.tool}, ${call.kind}, ${call.step}, ${call.via},
              ${call.requestId}, null, ${held.id}::uuid, ${durationMs}::int)
    )
    select expires_at as "expiresAt" from held`;
}

/**
 * Spends a row: `held` and in time, once, whoever else clicks. The row bears the audit row's id as what spent it, so the
 * same statement asked again (its first answer was lost) answers the same. A row that ran out becomes `expired`.
 */
export function spendHeld(call: ToolCallRow, runMs: number, durationMs: number): Statement {
  return sql`
    with locked as materialized (
      select status, expires_at, replaced_by, spent_by from confirmations
       where user_id = ${call.userId} and id = ${call.confirmationId}::uuid for update
    ), judged as materialized (
      select expires_at <= clock_timestamp() as ran_out from locked where status = 'held'
    ), settled as (
      update confirmations c
         set status = case when j.ran_out then 'expired' else 'used' end, preview = null,
             used_at = case when j.ran_out then null else clock_timestamp() end,
             spent_by = case when j.ran_out then null else ${call.id}::uuid end,
             run_until = case when j.ran_out then null else clock_timestamp() + make_interval(secs => ${runMs}::float8 / 1000) end
        from judged j
       where c.user_id = ${call.userId} and c.id = ${call.confirmationId}::uuid and c.status = 'held'
      returning c.status
    ), answer as materialized (
      select coalesce(s.status = 'used' or l.spent_by = ${call.id}::uuid, false) as done,
             coalesce(s.status, l.status) as status, l.replaced_by
        from (select) as always left join locked l on true left join settled s on true
    ), audited as (
      insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, code, confirmation_id, duration_ms)
      select ${call.userId}, ${call.id}::uuid, ${call.sessionHash}, ${call.tool}, ${call.kind}, ${call.step}, ${call.via}, ${call.requestId},
             case when a.done then null when a.status = 'replaced' then 'changed' else coalesce(a.status, 'invalid') end,
             ${call.confirmationId}::uuid, case when a.done then null else ${durationMs}::int end
        from answer a
      on conflict (user_id, id) do nothing
    )
    select done, status, replaced_by as "replacedBy" from answer`;
}

/** Ends the row of a handler and its audit row. `succeeded` null: no answer in time, the row stays open for a late end. */
export function endSpent(
  call: ToolCallRow,
  end: {
    readonly succeeded: boolean | null;
    readonly code: string | null;
    readonly durationMs: number;
    /** Whether its commit waits for the disk. One that does takes all earlier ones along. */
    readonly flush: "on" | "off";
  },
): Statement {
  return sql`
    with ended as (
      update confirmations set finished_at = clock_timestamp(), succeeded = ${end.succeeded}::boolean
       where user_id = ${call.userId} and id = ${call.confirmationId}::uuid and spent_by = ${call.id}::uuid
         and finished_at is null and ${end.succeeded}::boolean is not null
    )
    update tool_calls set code = ${end.code}, duration_ms = ${end.durationMs}::int
     where user_id = ${call.userId} and id = ${call.id}::uuid
    returning set_config('synchronous_commit', ${end.flush}, true) as flushed`;
}

/** Replaces a row that holds by a new one for the same call with what is true now: both or neither. A row that ran out becomes `expired`. */
export function replaceHeld(held: HeldWrite, call: ToolCallRow, durationMs: number): Statement {
  return sql`
    with locked as materialized (
      select status, expires_at, replaced_by from confirmations
       where user_id = ${call.userId} and id = ${call.confirmationId}::uuid for update
    ), judged as materialized (
      select expires_at <= clock_timestamp() as ran_out from locked where status = 'held'
    ), settled as (
      update confirmations c
         set status = case when j.ran_out then 'expired' else 'replaced' end, preview = null,
             replaced_by = case when j.ran_out then null else ${held.id}::uuid end
        from judged j
       where c.user_id = ${call.userId} and c.id = ${call.confirmationId}::uuid and c.status = 'held'
      returning c.status, c.locale, c.time_zone
    ), held as (
      insert into confirmations (user_id, id, session_hash, module, tool, tool_title, locale, time_zone, args_hash, preview, fingerprint, expires_at)
      select ${call.userId}, ${held.id}::uuid, ${call.sessionHash}, ${held.module}, ${call.tool}, ${held.toolTitle}, s.locale, s.time_zone,
             ${held.argsHash}, ${held.shown}::jsonb, ${held.fingerprint}, clock_timestamp() + make_interval(secs => ${held.ttlSeconds}::float8)
        from settled s where s.status = 'replaced'
    ), answer as materialized (
      select coalesce(s.status = 'replaced', false) as done, coalesce(s.status, l.status) as status, l.replaced_by
        from (select) as always left join locked l on true left join settled s on true
    ), audited as (
      insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, code, confirmation_id, duration_ms)
      select ${call.userId}, ${call.id}::uuid, ${call.sessionHash}, ${call.tool}, ${call.kind}, ${call.step}, ${call.via}, ${call.requestId},
             case when a.done or a.status = 'replaced' then 'changed' else coalesce(a.status, 'invalid') end,
             ${call.confirmationId}::uuid, ${durationMs}::int
        from answer a
      on conflict (user_id, id) do nothing
    )
    select done, status, replaced_by as "replacedBy" from answer`;
}

/** Turns a row down that holds. A row that ran out becomes `expired`. The audit row's tool is the row's. */
export function rejectHeld(call: ToolCallRow, durationMs: number): Statement {
  return sql`
    with locked as materialized (
      select tool, status, expires_at, replaced_by from confirmations
       where user_id = ${call.userId} and id = ${call.confirmationId}::uuid for update
    ), judged as materialized (
      select expires_at <= clock_timestamp() as ran_out from locked where status = 'held'
    ), settled as (
      update confirmations c
         set status = case when j.ran_out then 'expired' else 'rejected' end, preview = null,
             rejected_at = case when j.ran_out then null else clock_timestamp() end
        from judged j
       where c.user_id = ${call.userId} and c.id = ${call.confirmationId}::uuid and c.status = 'held'
      returning c.status
    ), answer as materialized (
      select coalesce(s.status = 'rejected', false) as done, coalesce(s.status, l.status) as status, l.replaced_by, l.tool
        from (select) as always left join locked l on true left join settled s on true
    ), audited as (
      insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, code, confirmation_id, duration_ms)
      select ${call.userId}, ${call.id}::uuid, ${call.sessionHash}, coalesce(a.tool, ''),
             case when a.tool is null then 'unknown' else 'write' end, ${call.step}, ${call.via}, ${call.requestId},
             case when a.done then null when a.status = 'replaced' then 'changed' else coalesce(a.status, 'invalid') end,
             ${call.confirmationId}::uuid, ${durationMs}::int
        from answer a
      on conflict (user_id, id) do nothing
    )
    select done, status, replaced_by as "replacedBy" from answer`;
}
