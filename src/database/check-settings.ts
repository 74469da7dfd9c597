import pg from "pg";
import { settingsOf } from "./client-config.ts";
import { startError } from "./start-error.ts";

interface Found {
  readonly role: string;
  readonly database: string;
  /** By name, as the server spells them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Those that the promises lean on; the others only spare time. */
const needed = [
  "search_path",
  "default_transaction_isolation",
  "synchronous_commit",
  "statement_timeout",
  "idle_in_transaction_session_timeout",
] as const;

/**
 * Throws a start error when connections are not set as they have to be: a pooler may drop what they were opened with,
 * and hands out connections that it opened itself.
 */
export async function checkSettings(
  on: pg.Pool,
  { schema, pooled }: { readonly schema: string; readonly pooled: boolean },
): Promise<void> {
  const { rows } = await on.query<Found>(
    `select current_user as role, current_database() as database,
       (select jsonb_object_agg(name, current_setting(name)) from unnest($1::text[]) as name) as settings`,
    [[...needed]],
  );
  const [found] = rows;
  if (found === undefined) return;
  const wanted = settingsOf(schema);
  const wrong = needed.filter((name) => !isSet(name, found.settings[name] ?? "", wanted[name] ?? ""));
  if (wrong.length === 0) return;
  if (!pooled) {
    throw startError(
      `connections come without the settings they are opened with (${wrong.join(", ")}), as a pooler drops them: name the server itself, or say \`pooler\`.`,
    );
  }
  const whose = `alter role ${pg.escapeIdentifier(found.role)} in database ${pg.escapeIdentifier(found.database)}`;
  const mend = wrong.map((name) => `${whose} set ${name} = ${pg.escapeLiteral(wanted[name] ?? "")};`).join(" ");
  throw startError(
    `the pooler's connections are not set as they have to be; run this once, and let the pooler reconnect: ${mend}`,
  );
}

function isSet(name: string, found: string, wanted: string): boolean {
  if (name !== "search_path") return found === wanted;
  return (found.split(",")[0] ?? "").trim().replaceAll('"', "") === wanted;
}
