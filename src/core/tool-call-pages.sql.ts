import { mostLookedAt, type PageRow, readPageCursor } from "../database/page-cursor.ts";
import { sql, type Statement } from "../database/sql.ts";
import type { ToolCallEntry, ToolCallFilter } from "./core-admin.ts";

export type ToolCallPageRow = ToolCallEntry & PageRow;

/** Rows of one page. */
export const pageCalls = 50;

/** How many rows the statement of a page looks at. */
export function lookedAt({ tool, step, outcome }: ToolCallFilter): number {
  return tool === undefined && step === undefined && outcome === undefined ? pageCalls + 1 : mostLookedAt;
}

/**
 * Executions, newest first. Of the two lists one is read, in the order of its index: all by time, or a user's by id,
 * which is the order of time too. The other filters are looked at after that.
 */
export function selectToolCalls(page: ToolCallFilter & { readonly before?: string | undefined }): Statement {
  const after = readPageCursor(page.before);
  const at = after?.at ?? null;
  const id = after?.id ?? null;
  const userId = page.userId ?? null;
  const looked = lookedAt(page);
  return sql`
    with span as materialized (
      select coalesce(${at}::timestamptz, 'infinity') as at, coalesce(${id}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
        coalesce((${page.from ?? null}::date)::timestamp at time zone 'UTC', '-infinity') as since,
        coalesce((${page.to ?? null}::date + 1)::timestamp at time zone 'UTC', 'infinity') as until
    ),
    seen as materialized (
      (
        select c.user_id, c.id, c.at from tool_calls c
         where ${userId}::text is null
           and c.at <= (select at from span) and (c.at, c.id) < ((select at from span), (select id from span))
           and c.at >= (select since from span) and c.at < (select until from span)
         order by c.at desc, c.id desc limit ${looked}::int
      )
      union all
      (
        select c.user_id, c.id, c.at from tool_calls c
         where ${userId}::text is not null and c.user_id = ${userId}::text and c.id < (select id from span)
           and c.at >= (select since from span) and c.at < (select until from span)
         order by c.id desc limit ${looked}::int
      )
    ),
    ends as materialized (
      select count(*)::int as seen, (
        select to_char(s.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|' || s.id from seen s
         order by case when ${userId}::text is null then s.at end, s.id limit 1
      ) as last
      from seen
    ),
    shown as (
      select c.id, c.user_id as "userId", c.at, c.session_hash as "sessionHash", c.tool, c.kind, c.step, c.via,
             c.request_id as "requestId", c.code, c.confirmation_id as "confirmationId", c.duration_ms as "durationMs",
             to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|' || c.id as cursor
        from seen s, lateral (
          -- one row: so that it is looked up by its key, however small the table was when this was planned
          select t.id, t.user_id, t.at, t.session_hash, t.tool, t.kind, t.step, t.via, t.request_id, t.code,
                 t.confirmation_id, t.duration_ms
            from tool_calls t where t.user_id = s.user_id and t.id = s.id limit 1
        ) as c
       where (${page.tool ?? null}::text is null or c.tool = ${page.tool ?? null}::text)
         and (${page.step ?? null}::text is null or c.step = ${page.step ?? null}::text)
         and (${page.outcome ?? null}::text is null or (c.code is null) = (${page.outcome ?? null}::text = 'done'))
       order by case when ${userId}::text is null then c.at end desc, c.id desc
       limit ${pageCalls + 1}::int
    )
    select shown.*, ends.seen, ends.last from ends left join shown on true
     order by case when ${userId}::text is null then shown.at end desc, shown.id desc`;
}
