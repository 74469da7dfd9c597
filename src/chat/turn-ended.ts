import { toMessageRow, toWire } from "./message-row.ts";
import type { ChatTools, Place } from "./tools.ts";

/** Tells that a turn whose lock was lost has ended, with its notice. */
export function tellTurnEnded(
  tools: Pick<ChatTools, "core" | "events">,
  end: {
    readonly place: Place;
    readonly turnId: string;
    readonly asked: boolean;
    readonly notice: { readonly id: string; readonly seq: number; readonly at: Date } | null;
  },
): void {
  const { place, turnId, notice } = end;
  if (notice !== null) {
    const row = toMessageRow({
      ...{ id: notice.id, seq: notice.seq, created_at: notice.at, turn_id: turnId },
      role: "notice",
      code: "interrupted",
    });
    tools.events.stored(place, [toWire(row, { ...place, titleOf: tools.core.titleOf })]);
  }
  tools.events.happened(place, { type: "turn_ended", turnId, how: "interrupted", asked: end.asked });
}
