import type { Statement } from "../database/sql.ts";
import {
  deleteConfirmations,
  deleteConfirmationsOf,
  deleteLapsed,
  deleteRatesOf,
  deleteToolCallsOf,
} from "./retention.sql.ts";
import type { CoreRoom } from "./room.ts";
import { isUuid } from "./trace.ts";

const batch = 500;
const mostBatches = 20;

/** Deletes what retention lets go, at most a few batches a run; the next run goes on. */
export async function sweepLapsed(room: CoreRoom): Promise<void> {
  await inBatches(room, deleteLapsed(batch), mostBatches);
}

/** Deletes rows of a user by id. */
export async function forgetConfirmations(room: CoreRoom, userId: string, ids: readonly string[]): Promise<void> {
  await room.database.query(deleteConfirmations(userId, ids.filter(isUuid)));
}

/** Deletes everything of a user. */
export async function forgetUser(room: CoreRoom, userId: string): Promise<void> {
  await inBatches(room, deleteConfirmationsOf(userId, batch), Infinity);
  await inBatches(room, deleteToolCallsOf(userId, batch), Infinity);
  await room.database.query(deleteRatesOf(userId));
}

async function inBatches(room: CoreRoom, statement: Statement, most: number): Promise<void> {
  for (let run = 0; run < most; run++) {
    const deleted = await room.database.query(statement);
    if (deleted.length < batch) return;
  }
}
