import type { Database } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import { endRequest, findLapsed, keepRequests, type EndRow } from "./journal.sql.ts";

type RowKey = Pick<EndRow, "userId" | "id">;

/** Keeps the leases of this node's running rows with one timer for all, and gives up rows whose node is gone. */
export interface JournalLeases {
  /** From now on the row's lease is kept, until `release`. */
  hold(row: RowKey): void;
  release(row: RowKey): void;
  /** Ends rows whose lease lapsed as lost; what they reserved counts as spent. */
  sweep(): Promise<void>;
  close(): void;
}

/** What `lost` rows know: nothing. */
const unknown = {
  code: null,
  httpStatus: null,
  attempts: 0,
  modelAnswered: null,
  providerRequestId: null,
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  costMicros: null,
  countMicros: null,
  latencyMs: null,
  firstTokenMs: null,
  content: null,
} as const;

export function createJournalLeases(wiring: {
  readonly database: Database;
  readonly logger: Logger;
  readonly leaseMs: number;
}): JournalLeases {
  const { database, logger, leaseMs } = wiring;
  const held = new Map<string, RowKey>();
  let timer: NodeJS.Timeout | null = null;

  const keep = async (): Promise<void> => {
    try {
      await keepRequests(database, [...held.values()]);
    } catch {
      // the next keep comes in time; a row that was given up meanwhile is set right at its end
      logger.warn({ rows: held.size }, "leases of the model journal could not be kept");
    }
  };
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    hold: (row) => {
      held.set(row.id, row);
      timer ??= setInterval(() => void keep(), leaseMs / 3).unref();
    },
    release: (row) => {
      held.delete(row.id);
      if (held.size === 0) stop();
    },
    sweep: async () => {
      for (const row of await findLapsed(database, leaseMs)) {
        await database.query(endRequest({ ...row, ...unknown, status: "lost", lapsedMs: leaseMs }));
      }
    },
    close: stop,
  };
}
