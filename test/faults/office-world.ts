import { randomUUID } from "node:crypto";
import path from "node:path";
import type { SettingValues } from "../../src/settings/schema.ts";
import { invariant } from "../../src/outcome.ts";
import { readLines, startNodeProcess, type NodeProcess } from "./node-process.ts";
import type { HandlerLine, ModelLine, NodeSetup } from "./node-setup.ts";
import { startPostgres, type Postgres } from "./postgres.ts";

/** One database, the side files, and the nodes that were ever started on it. */
export interface OfficeWorld {
  readonly postgres: Postgres;
  readonly nodes: readonly NodeProcess[];
  startNode(more?: Partial<NodeSetup>): Promise<NodeProcess>;
  /** A person with a record and sign-ins; answers the sign-ins' refs. */
  hire(userId: string, signIns: number): Promise<readonly string[]>;
  handlers(): readonly HandlerLine[];
  modelCalls(): readonly ModelLine[];
  logFile(): string;
  /** Kills what still runs, and the server last. */
  close(): Promise<void>;
}

/** Times in which everything is over within seconds. A handler may still be running when its click's lock has lapsed. */
export const shortTimes: Partial<SettingValues> = {
  lockHold: 2_000,
  clickKeepMs: 400,
  turnKeepMs: 400,
  sweepEvery: 300,
  hostCallLimit: 1_000,
  previewTimeLimit: 1_000,
  toolTimeLimit: 2_000,
  runEndMargin: 1_000,
  journalLease: 2_000,
  stopGrace: 2,
  turnDeadline: 20,
  watchRecheck: 500,
  readsPerMinute: 10_000,
  holdsPerMinute: 10_000,
  redeemsPerMinute: 10_000,
  turnsPerHour: 10_000,
  turnsPerDay: 100_000,
};

export async function openOfficeWorld(values: Partial<SettingValues> = {}): Promise<OfficeWorld> {
  const postgres = await startPostgres();
  const { folder, connectionString } = postgres;
  const file = (name: string): string => path.join(folder, name);
  const nodes: NodeProcess[] = [];
  let started = 0;
  return {
    postgres,
    nodes,
    async startNode(more = {}) {
      const number = (started += 1);
      const node = await startNodeProcess({
        name: `n${number}`,
        number,
        connectionString,
        handlerFile: file("handlers"),
        modelFile: file("models"),
        logFile: file("log"),
        leakFile: file("leaks"),
        values: { ...shortTimes, ...values },
        clockShiftMs: 0,
        ...more,
      });
      nodes.push(node);
      return node;
    },
    async hire(userId, signIns) {
      await postgres.ask("insert into office.records (user_id, name) values ($1, $2)", [userId, `first-${userId}`]);
      const refs = Array.from({ length: signIns }, () => `${userId}/${randomUUID().slice(0, 8)}`);
      for (const ref of refs) {
        await postgres.ask("insert into office.sign_ins (ref, user_id) values ($1, $2)", [ref, userId]);
      }
      return refs;
    },
    handlers: () => readLines(file("handlers")) as readonly HandlerLine[],
    modelCalls: () => readLines(file("models")) as readonly ModelLine[],
    logFile: () => file("log"),
    async close() {
      for (const node of nodes) if (node.alive) node.signal("SIGKILL");
      await Promise.all(nodes.map(({ gone }) => gone));
      const leaks = readLines(file("leaks"));
      await postgres.close();
      invariant(leaks.length === 0, `no log line holds what nobody may log: ${leaks.join("; ")}`);
    },
  };
}
