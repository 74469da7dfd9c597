import type { Database, Queryable } from "../../src/database/database.ts";
import type { Statement } from "../../src/database/sql.ts";

/** Until when a node lives: a number of statements, or the first one of a kind. */
export interface Death {
  readonly after?: number;
  readonly at?: (text: string) => boolean;
  /** Whether the fatal statement still reaches the database: a node that dies as it commits. */
  readonly commits: boolean;
}

/**
 * A process that can be killed between any two steps: from its fatal statement on, nothing is done and nothing is ever
 * answered, as when its node has died.
 */
export interface Fate {
  readonly dead: boolean;
  /** Settled once it died. */
  readonly died: Promise<void>;
  /** Counts one statement; answers whether it may run and whether its answer may be seen. */
  step(text: string): "live" | "last" | "dead";
  die(): void;
}

export function createFate(death: Death | null): Fate {
  let resolve: () => void = () => undefined;
  const died = new Promise<void>((settle) => {
    resolve = settle;
  });
  let left = death?.after ?? Number.POSITIVE_INFINITY;
  let dead = false;
  return {
    get dead() {
      return dead;
    },
    died,
    step(text) {
      if (dead) return "dead";
      const fatal = left <= 0 || death?.at?.(text) === true;
      left -= 1;
      if (!fatal) return "live";
      dead = true;
      return death?.commits === true ? "last" : "dead";
    },
    die() {
      dead = true;
      resolve();
    },
  };
}

const never = (): Promise<never> => new Promise(() => undefined);

/** The same database, seen by a node with that fate. */
export function mortal(database: Database, mine: Fate): Database {
  const query =
    (on: Queryable) =>
    async <Row extends object>(statement: Statement): Promise<readonly Row[]> => {
      const step = mine.step(statement.text);
      if (step === "live") return on.query<Row>(statement);
      if (step === "last") await on.query<Row>(statement).catch(() => undefined);
      mine.die();
      return never();
    };
  return {
    schema: database.schema,
    query: query(database),
    // One commit: it is reached whole or not at all.
    async together(statements, options) {
      const step = mine.step(statements.map(({ text }) => text).join(";"));
      if (step === "live") return database.together(statements, options);
      if (step === "last") await database.together(statements, options).catch(() => undefined);
      mine.die();
      return never();
    },
    async transaction(work) {
      // The connection of a dead process is closed: what it had not committed is rolled back.
      const lost = new Error("the process died");
      try {
        return await database.transaction((on) =>
          Promise.race([
            work({ query: query(on) }),
            mine.died.then(() => {
              throw lost;
            }),
          ]),
        );
      } catch (error) {
        if (error === lost) return never();
        throw error;
      }
    },
    listen: (channel, hear, onReconnect) => database.listen(channel, hear, onReconnect),
    notify: (channel, payload) => {
      if (!mine.dead) database.notify(channel, payload);
    },
    close: () => database.close(),
  };
}
