import { sql, type Statement } from "../database/sql.ts";

/** A stored setting; a JSON null is one that was taken back to its default, kept for its version. */
export interface SettingRow {
  readonly userId: string;
  readonly key: string;
  readonly value: unknown;
  readonly version: number;
}

/** The rows of the site and of one user; with '' the site's alone. */
export function selectSettings(userId: string): Statement {
  return sql`
    select user_id as "userId", key, value, version
      from settings
     where user_id in ('', ${userId})`;
}

/** Lets one at a time change the settings of a user, so that versions can be compared before they are raised. */
export function lockSettings(schema: string, userId: string): Statement {
  return sql`select pg_advisory_xact_lock(hashtextextended(${`${schema}.settings ${userId}`}::text, 0))`;
}

/** The keys whose version is another than the one a form was read with. */
export function selectChanged(userId: string, expected: ReadonlyMap<string, number>): Statement {
  return sql`
    select form.key
      from unnest(${[...expected.keys()]}::text[], ${[...expected.values()]}::bigint[]) as form(key, version)
      left join settings on settings.user_id = ${userId} and settings.key = form.key
     where coalesce(settings.version, 0) <> form.version
     order by form.key`;
}

/** Stores values, each raising its version. */
export function upsertSettings(userId: string, changes: ReadonlyMap<string, unknown>): Statement {
  return sql`
    insert into settings (user_id, key, value)
    select ${userId}, change.key, change.value::jsonb
      from unnest(${[...changes.keys()]}::text[], ${[...changes.values()].map((value) => JSON.stringify(value))}::text[])
        as change(key, value)
    on conflict (user_id, key) do update
       set value = excluded.value, version = settings.version + 1, changed_at = clock_timestamp()`;
}

/** Removes what a user set for themself, and what was set for them. */
export function deleteSettings(userId: string): Statement {
  return sql`delete from settings where user_id = ${userId}`;
}

/** What users have of their own under some keys. `user_id <> ''` names the index of this list. */
export function selectOwnValues(keys: readonly string[]): Statement {
  return sql`
    select user_id as "userId", key, value
      from settings
     where key = any(${keys}::text[]) and user_id <> '' and value <> 'null'::jsonb
     order by key, user_id
     limit 1000`;
}
