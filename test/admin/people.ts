import { sql } from "../../src/database/sql.ts";
import type { Served } from "../http/served.ts";
import type { SignIn } from "../desk.ts";

/** A sign-in that may manage the assistant and use nothing else. */
export function signInManager(served: Served, userId = "ines"): SignIn {
  return served.desk.signIn(userId, ["assistant.manage"]);
}

/** All that is stored, table by table. */
export async function everything({ base }: Served): Promise<Readonly<Record<string, string>>> {
  const tables = await base.database.query<{ readonly name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'countersign' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await base.database.query<{ readonly rows: string }>({
      name: `all_of_${name}`,
      text: `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as rows from ${name} t`,
      values: [],
    });
    found[name] = row?.rows ?? "";
  }
  return found;
}

export interface JournalSeed {
  readonly userId: string;
  /** Minutes before now. */
  readonly minutesAgo: number;
  readonly status?: "ok" | "error" | "refused" | "lost";
  readonly code?: string | null;
  readonly model?: string;
  readonly costMicros?: number;
}

/** Ended calls of models, as the journal keeps them. */
export async function addCalls({ base }: Served, calls: readonly JournalSeed[]): Promise<void> {
  for (const call of calls) {
    const { status = "ok", code = null, model = "scripted", costMicros = 1_000 } = call;
    await base.database.query(sql`
      insert into ai_requests (user_id, id, at, source, task, endpoint, model_asked, status, code, attempts, input_tokens,
        output_tokens, cost_micros, latency_ms, node, ended_at)
      values (${call.userId}, gen_random_uuid(), clock_timestamp() - make_interval(mins => ${call.minutesAgo}::integer),
        'agent', 'agent.chat', 'scripted', ${model}, ${status}, ${code}, 1, 100, 20, ${costMicros}::bigint, 900, 'node',
        clock_timestamp())`);
  }
}
