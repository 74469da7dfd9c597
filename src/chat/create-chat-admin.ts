import { selectRunningTurns, type RunningTurnRow } from "./admin.sql.ts";
import type { ChatAdmin } from "./chat-admin.ts";
import type { ChatTools } from "./tools.ts";

const mostTurns = 200;

export function createChatAdmin({ database }: Pick<ChatTools, "database">): ChatAdmin {
  return {
    async runningTurns() {
      const rows = await database.query<RunningTurnRow>(selectRunningTurns(mostTurns + 1));
      const turns = rows.slice(0, mostTurns).map(({ now: _now, ...turn }) => turn);
      return { now: rows[0]?.now ?? new Date(), turns, more: rows.length > mostTurns };
    },
  };
}
