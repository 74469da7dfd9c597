import { invariant } from "../outcome.ts";
import { type ClickedRow, rejectHeld } from "./confirmations.sql.ts";
import type { Core, RejectAnswer } from "./core.ts";
import { isImpersonated, loadSession } from "./load-session.ts";
import type { CoreRoom } from "./room.ts";
import { durationOf, isUuid, recordCall, toTrace } from "./trace.ts";

/** Turns a held row down, for any live session of its user that is its own. */
export async function reject(
  room: CoreRoom,
  sessionRef: string,
  asked: { readonly confirmationId: string } & Parameters<Core["rejectForUser"]>[2],
): Promise<RejectAnswer> {
  const startedAt = room.now();
  const loaded = await loadSession(room, sessionRef);
  if (!loaded.ok) return loaded;
  const { userId } = loaded.session;
  const trace = toTrace({ ...asked, sessionRef, userId, tool: "", registered: undefined, step: "reject", startedAt });
  const refusal = isImpersonated(loaded.session) ? "impersonated" : isUuid(asked.confirmationId) ? null : "invalid";
  if (refusal !== null) {
    await recordCall(room, trace, refusal);
    return { ok: false, reason: refusal };
  }
  const [row] = await room.database.query<ClickedRow>(rejectHeld(trace.row, durationOf(room, trace)));
  invariant(row !== undefined, "a click's statement always answers one row");
  if (row.done) return { ok: true };
  if (row.status === null || row.status === "held") return { ok: false, reason: "invalid" };
  if (row.status !== "replaced") return { ok: false, reason: row.status };
  invariant(row.replacedBy !== null, "a replaced row names the row that replaced it");
  return { ok: false, reason: "changed", replacedBy: row.replacedBy };
}
