import type { Database, Queryable } from "../src/database/database.ts";
import type { Statement } from "../src/database/sql.ts";

/** A statement as it was run: what it is for, and how long it was on its way. */
export interface Seen {
  readonly what: string;
  readonly text: string;
  readonly ms: number;
  /** Whether it stores something, so that its commit is waited for. */
  readonly stores: boolean;
}

/** The same database, each statement noted. */
export function noting(database: Database, seen: { push(step: Seen): unknown }): Database {
  const query =
    (on: Queryable) =>
    async <Row extends object>(statement: Statement): Promise<readonly Row[]> => {
      const from = performance.now();
      const rows = await on.query<Row>(statement);
      seen.push({ ...describeStatement(statement.text), ms: performance.now() - from });
      return rows;
    };
  return {
    ...database,
    query: query(database),
    async together(statements, options) {
      const from = performance.now();
      const answers = await database.together(statements, options);
      const all = statements.map(({ text }) => describeStatement(text));
      const what = all.map((one) => one.what).join(" + ");
      const text = all.map((one) => one.text).join("; ");
      seen.push({ what, text, stores: all.some((one) => one.stores), ms: performance.now() - from });
      return answers;
    },
    transaction: (work) => database.transaction((on) => work({ query: query(on) })),
  };
}

const verbs = /\b(insert into|update|delete from)\s+(\w+)/g;
const reads = /\b(?:from|join)\s+(\w+)/g;

/** What a statement does, from its text: the tables it changes, or else those it reads. */
export function describeStatement(text: string): Omit<Seen, "ms"> {
  const names = new Set([...text.matchAll(/\b(\w+)\s+as\s+(?:materialized\s+)?\(/g)].map(([, name]) => name));
  const changes = [...text.matchAll(verbs)]
    .filter(([, , table]) => table !== "of" && table !== undefined && !names.has(table))
    .map(([, verb, table]) => `${verb?.split(" ")[0]} ${table}`);
  const from = [...text.matchAll(reads)].map(([, table]) => table ?? "").filter((table) => isTable(table, names));
  const what = changes.length > 0 ? [...new Set(changes)].join(", ") : `read ${[...new Set(from)].join(", ")}`;
  return { what, text: text.replaceAll(/\s+/g, " ").trim(), stores: changes.length > 0 };
}

const tables =
  /^(settings|conversations|messages|turns|locks|confirmations|tool_calls|rates|endpoints|ai_requests|spend|flags)$/;
const isTable = (name: string, names: ReadonlySet<string | undefined>): boolean =>
  tables.test(name) && !names.has(name);
