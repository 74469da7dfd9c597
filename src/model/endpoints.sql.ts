import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface EndpointRow {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly model: string;
  readonly credentialEnv: string | null;
  readonly credentialSealed: Uint8Array | null;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly contextTokens: number | null;
  readonly price: Readonly<Record<string, unknown>> | null;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
  readonly version: string;
}

export function selectEndpoints(on: Queryable): Promise<readonly EndpointRow[]> {
  return on.query<EndpointRow>(sql`
    select name, provider, base_url as "baseUrl", model, credential_env as "credentialEnv",
      credential_sealed as "credentialSealed", capabilities, context_tokens as "contextTokens", price, defaults, enabled,
      version::text as version
    from endpoints where user_id = '' order by name
  `);
}

/** `keepCredential`: the credential that is there stays. */
export async function upsertEndpoint(
  on: Queryable,
  row: Omit<EndpointRow, "version"> & { readonly keepCredential: boolean },
): Promise<void> {
  await on.query(sql`
    insert into endpoints as e (user_id, name, provider, base_url, model, credential_env, credential_sealed, capabilities,
      context_tokens, price, defaults, enabled)
    values ('', ${row.name}, ${row.provider}, ${row.baseUrl}, ${row.model}, ${row.credentialEnv},
      ${row.credentialSealed}::bytea, ${JSON.stringify(row.capabilities)}::jsonb, ${row.contextTokens}::integer,
      ${row.price === null ? null : JSON.stringify(row.price)}::jsonb, ${JSON.stringify(row.defaults)}::jsonb,
      ${row.enabled}::boolean)
    on conflict (user_id, name) do update set
      provider = excluded.provider, base_url = excluded.base_url, model = excluded.model,
      credential_env = case when ${row.keepCredential}::boolean then e.credential_env else excluded.credential_env end,
      credential_sealed =
        case when ${row.keepCredential}::boolean then e.credential_sealed else excluded.credential_sealed end,
      capabilities = excluded.capabilities, context_tokens = excluded.context_tokens, price = excluded.price,
      defaults = excluded.defaults, enabled = excluded.enabled,
      version = e.version + 1, changed_at = clock_timestamp()
  `);
}

/** Answers whether there was none of that name. */
export async function insertEndpoint(on: Queryable, row: Omit<EndpointRow, "version">): Promise<boolean> {
  const made = await on.query(sql`
    insert into endpoints (user_id, name, provider, base_url, model, credential_env, credential_sealed, capabilities,
      context_tokens, price, defaults, enabled)
    values ('', ${row.name}, ${row.provider}, ${row.baseUrl}, ${row.model}, ${row.credentialEnv},
      ${row.credentialSealed}::bytea, ${JSON.stringify(row.capabilities)}::jsonb, ${row.contextTokens}::integer,
      ${row.price === null ? null : JSON.stringify(row.price)}::jsonb, ${JSON.stringify(row.defaults)}::jsonb,
      ${row.enabled}::boolean)
    on conflict (user_id, name) do nothing
    returning name
  `);
  return made.length > 0;
}

/** Changes a row only as long as it has the version it was read with; answers whether it had. */
export async function updateEndpoint(on: Queryable, row: EndpointRow): Promise<boolean> {
  const changed = await on.query(sql`
    update endpoints set provider = ${row.provider}, base_url = ${row.baseUrl}, model = ${row.model},
      credential_env = ${row.credentialEnv}, credential_sealed = ${row.credentialSealed}::bytea,
      capabilities = ${JSON.stringify(row.capabilities)}::jsonb, context_tokens = ${row.contextTokens}::integer,
      price = ${row.price === null ? null : JSON.stringify(row.price)}::jsonb,
      defaults = ${JSON.stringify(row.defaults)}::jsonb, enabled = ${row.enabled}::boolean,
      version = version + 1, changed_at = clock_timestamp()
    where user_id = '' and name = ${row.name} and version = ${row.version}::bigint
    returning name
  `);
  return changed.length > 0;
}

export async function deleteEndpoint(on: Queryable, name: string): Promise<boolean> {
  const gone = await on.query(sql`delete from endpoints where user_id = '' and name = ${name} returning name`);
  return gone.length > 0;
}
