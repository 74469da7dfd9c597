import { sql, type Statement } from "../database/sql.ts";

/** Which counter a call is counted in. */
export type Bucket = "reads" | "holds" | "redeems";

export interface CountedCall {
  readonly userId: string;
  readonly bucket: Bucket;
  readonly tool: string;
  /** Of the tool itself; null when it has none. */
  readonly toolLimit: { readonly limit: number; readonly perSeconds: number } | null;
  /** Of the user overall, a minute. */
  readonly limit: number;
  /** The confirmation row to read beside, for a redeem. */
  readonly confirmationId: string | null;
}

/** The count of a call and, for a redeem that was let through, its row. A window is given back by the text it was counted in. */
export interface CountRow {
  readonly toolWindow: string | null;
  readonly window: string | null;
  /** Whole seconds until a full counter starts again. */
  readonly retryAfter: number;
  readonly status: "held" | "used" | "rejected" | "replaced" | "expired" | null;
  readonly heldTool: string;
  readonly argsHash: string;
  readonly fingerprint: string;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly replacedBy: string | null;
  readonly ranOut: boolean;
}

/**
 * Counts a call for its tool and then for its user, in this order, each only while it is not full. A window starts with
 * its first call and is over when the clock is not within it, on either side: a clock that stepped back locks nobody out.
 */
export function countCall(call: CountedCall): Statement {
  const { userId, bucket, tool, toolLimit } = call;
  return sql`
    with of_tool as (
      insert into rates as r (user_id, bucket, tool, window_start, used)
      select ${userId}, ${bucket}, ${tool}, clock_timestamp(), 1
       where ${toolLimit?.limit ?? null}::int is not null
      on conflict (user_id, bucket, tool) do update
         set used = case when clock_timestamp() between r.window_start and r.window_start + make_interval(secs => ${toolLimit?.perSeconds ?? null}::int)
                         then r.used + 1 else 1 end,
             window_start = case when clock_timestamp() between r.window_start and r.window_start + make_interval(secs => ${toolLimit?.perSeconds ?? null}::int)
                                 then r.window_start else clock_timestamp() end
       where r.used < ${toolLimit?.limit ?? null}::int
          or clock_timestamp() not between r.window_start and r.window_start + make_interval(secs => ${toolLimit?.perSeconds ?? null}::int)
      returning r.window_start
    ), of_user as (
      insert into rates as r (user_id, bucket, tool, window_start, used)
      select ${userId}, ${bucket}, '', clock_timestamp(), 1
       where ${toolLimit?.limit ?? null}::int is null or exists (select from of_tool)
      on conflict (user_id, bucket, tool) do update
         set used = case when clock_timestamp() between r.window_start and r.window_start + interval '1 minute'
                         then r.used + 1 else 1 end,
             window_start = case when clock_timestamp() between r.window_start and r.window_start + interval '1 minute'
                                 then r.window_start else clock_timestamp() end
       where r.used < ${call.limit}::int
          or clock_timestamp() not between r.window_start and r.window_start + interval '1 minute'
      returning r.window_start
    ), counted as (
      select (select window_start from of_tool) as tool_window, (select window_start from of_user) as window
    )
    select counted.tool_window::text as "toolWindow",
           counted.window::text as "window",
           case when counted.window is not null then 0
                else greatest(1, ceil(extract(epoch from coalesce(
                       (select window_start from rates
                         where user_id = ${userId} and bucket = ${bucket}
                           and tool = case when ${toolLimit?.limit ?? null}::int is null or counted.tool_window is not null then '' else ${tool} end),
                       clock_timestamp())
                     + case when ${toolLimit?.limit ?? null}::int is null or counted.tool_window is not null then interval '1 minute'
                            else make_interval(secs => ${toolLimit?.perSeconds ?? null}::int) end
                     - clock_timestamp())))::int end as "retryAfter",
           c.status, c.tool as "heldTool", c.args_hash as "argsHash", c.fingerprint, c.locale, c.time_zone as "timeZone",
           c.replaced_by as "replacedBy", c.status = 'held' and c.expires_at <= clock_timestamp() as "ranOut"
      from counted
      left join confirmations c
        on c.user_id = ${userId} and c.id = ${call.confirmationId}::uuid and counted.window is not null`;
}
