import type { Chat } from "./chat.ts";
import { sweepLapsed, sweepOrphans, type SweptRow } from "./sweep.sql.ts";
import type { ChatTools, Place } from "./tools.ts";
import { tellTurnEnded } from "./turn-ended.ts";

const batch = 50;

/** Ends what lost its lock. */
export function createSweep(tools: ChatTools): Pick<Chat, "sweepLocks"> {
  const holdMs = tools.settings.fixed.lockHold;

  function tell(row: SweptRow): void {
    if (row.turn_id === null || row.asked === null) return;
    const { notice_id: id, notice_seq: seq, notice_at: at } = row;
    tellTurnEnded(tools, {
      place: { userId: row.user_id, conversationId: row.conversation_id },
      turnId: row.turn_id,
      asked: row.asked,
      notice: id === null || seq === null || at === null ? null : { id, seq, at },
    });
  }

  return {
    async sweepLocks() {
      const clicks: Place[] = [];
      for (;;) {
        const swept = await tools.database.query<SweptRow>(sweepLapsed(holdMs, batch));
        for (const row of swept) {
          tell(row);
          if (row.kind === "click") clicks.push({ userId: row.user_id, conversationId: row.conversation_id });
        }
        if (swept.length < batch) break;
      }
      for (const row of await tools.database.query<SweptRow>(sweepOrphans(batch))) tell(row);
      return clicks;
    },
  };
}
