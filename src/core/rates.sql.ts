import { sql, type Statement } from "../database/sql.ts";
import type { RateLimit } from "./tool.ts";

// A window starts with its first call and is over when the clock is not within it, on either side: a clock that stepped
// back locks nobody out. A full counter is not raised. Of a call that is counted twice the tool's counter comes first.
// No count is waited for on the disk: a crash of the server can take those of its last moment.

/** Which counter a call is counted in. */
export type Bucket = "reads" | "holds" | "redeems";

export interface CountedCall {
  readonly userId: string;
  readonly bucket: Bucket;
  /** Of the user overall, a minute. */
  readonly limit: number;
  /** The confirmation row to read beside, for a redeem. */
  readonly confirmationId: string | null;
}

/** The count of a call and, for a redeem that was let through, its row. A window is given back by the text it was counted in. */
export interface CountRow {
  readonly toolWindow: string | null;
  /** Null: not let through. */
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

/** Counts a call of a tool that has no limit of its own. */
export function countCall({ userId, bucket, limit, confirmationId }: CountedCall): Statement {
  return sql`
    with of_user as (
      insert into rates as r (user_id, bucket, tool, window_start, used)
      values (${userId}, ${bucket}, '', clock_timestamp(), 1)
      on conflict (user_id, bucket, tool) do update
         set used = case when clock_timestamp() between r.window_start and r.window_start + interval '1 minute'
                         then r.used + 1 else 1 end,
             window_start = case when clock_timestamp() between r.window_start and r.window_start + interval '1 minute'
                                 then r.window_start else clock_timestamp() end
       where r.used < ${limit}::int
          or clock_timestamp() not between r.window_start and r.window_start + interval '1 minute'
      returning r.window_start
    )
    select null as "toolWindow", u.window_start::text as "window",
           case when u.window_start is not null then 0
                else greatest(1, ceil(extract(epoch from coalesce(
                       (select window_start from rates where user_id = ${userId} and bucket = ${bucket} and tool = ''),
                       clock_timestamp()) + interval '1 minute' - clock_timestamp())))::int end as "retryAfter",
           c.status, c.tool as "heldTool", c.args_hash as "argsHash", c.fingerprint, c.locale, c.time_zone as "timeZone",
           c.replaced_by as "replacedBy", c.status = 'held' and c.expires_at <= clock_timestamp() as "ranOut",
           set_config('synchronous_commit', 'off', true) as unflushed
      from (select) as always
      left join of_user u on true
      left join confirmations c on c.user_id = ${userId} and c.id = ${confirmationId}::uuid and u.window_start is not null`;
}

/** Counts a call for its tool, and for its user only where the tool let it through. */
export function countLimitedCall(call: CountedCall, tool: string, { limit, perSeconds }: RateLimit): Statement {
  const { userId, bucket } = call;
  return sql`
    with of_tool as (
      insert into rates as r (user_id, bucket, tool, window_start, used)
      values (${userId}, ${bucket}, ${tool}, clock_timestamp(), 1)
      on conflict (user_id, bucket, tool) do update
         set used = case when clock_timestamp() between r.window_start and r.window_start + make_interval(secs => ${perSeconds}::int)
                         then r.used + 1 else 1 end,
             window_start = case when clock_timestamp() between r.window_start and r.window_start + make_interval(secs => ${perSeconds}::int)
                                 then r.window_start else clock_timestamp() end
       where r.used < ${limit}::int
          or clock_timestamp() not between r.window_start and r.window_start + make_interval(secs => ${perSeconds}::int)
      returning r.window_start
    ), of_user as (
      insert into rates as r (user_id, bucket, tool, window_start, used)
      select ${userId}, ${bucket}, '', clock_timestamp(), 1 from of_tool
      on conflict (user_id, bucket, tool) do update
         set used = case when clock_timestamp() between r.window_start and r.window_start + interval '1 minute'
                         then r.used + 1 else 1 end,
             window_start = case when clock_timestamp() between r.window_start and r.window_start + interval '1 minute'
                                 then r.window_start else clock_timestamp() end
       where r.used < ${call.limit}::int
          or clock_timestamp() not between r.window_start and r.window_start + interval '1 minute'
      returning r.window_start
    ), wait as (
      -- what is full: the user's counter when the tool's let the call through, else the tool's
      select case when t.window_start is null then ${tool} else '' end as tool,
             case when t.window_start is null then make_interval(secs => ${perSeconds}::int) else interval '1 minute' end as lasts
        from (select) as always left join of_tool t on true
    )
    select t.window_start::text as "toolWindow", u.window_start::text as "window",
           case when u.window_start is not null then 0
                else greatest(1, ceil(extract(epoch from coalesce(
                       (select window_start from rates where user_id = ${userId} and bucket = ${bucket} and tool = w.tool),
                       clock_timestamp()) + w.lasts - clock_timestamp())))::int end as "retryAfter",
           c.status, c.tool as "heldTool", c.args_hash as "argsHash", c.fingerprint, c.locale, c.time_zone as "timeZone",
           c.replaced_by as "replacedBy", c.status = 'held' and c.expires_at <= clock_timestamp() as "ranOut",
           set_config('synchronous_commit', 'off', true) as unflushed
      from wait w
      left join of_tool t on true
      left join of_user u on true
      left join confirmations c on c.user_id = ${userId} and c.id = ${call.confirmationId}::uuid and u.window_start is not null`;
}
