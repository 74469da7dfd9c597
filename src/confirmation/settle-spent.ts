import { settleWithLock, type SettleTools } from "./settle.ts";

const batch = 500;
/** A statement that began earlier may commit later: rows are looked at again for this long. */
const overlapMs = 30_000;

/**
 * Makes the sweeper's look for spent rows that nobody told of: their click died, and whoever took its lock over could not
 * say yet what became of them, or was in another chat. Each look goes on from the last one; what cannot be told yet holds it back.
 */
export function createSpentSweep(tools: SettleTools): () => Promise<void> {
  let from: Date | null = null;
  return async () => {
    let at = from;
    let open: Date | null = null;
    const failures: unknown[] = [];
    for (;;) {
      const rows = await tools.core.spentRows(at, batch);
      const untold = await tools.chat.untoldCards(rows.filter(({ running }) => !running));
      const waiting = new Set(untold.map(({ confirmationId }) => confirmationId));
      open ??= rows.find(({ id, running }) => running || waiting.has(id))?.usedAt ?? null;
      const places = new Map(untold.map((card) => [`${card.conversationId} ${card.userId}`, card]));
      // One chat that cannot be settled keeps no other from it.
      for (const place of places.values())
        await settleWithLock(tools, place).catch((error: unknown) => failures.push(error));
      const last = rows.at(-1)?.usedAt;
      if (last === undefined || rows.length < batch || last.getTime() === at?.getTime()) {
        if (failures.length > 0) throw failures[0];
        const seen = open ?? last ?? at;
        from = seen === null ? null : new Date(seen.getTime() - overlapMs);
        return;
      }
      at = last;
    }
  };
}
