import { refused } from "../outcome.ts";
import { cardPreview } from "./card-preview.ts";
import { type DetailRow, expireHeld, selectDetails, selectStates, type StateRow } from "./confirmation-rows.sql.ts";
import type { ConfirmationDetail, ConfirmationState, Core, DetailAnswer } from "./core.ts";
import { isImpersonated, loadSession } from "./load-session.ts";
import { findRefusal, rememberRights } from "./rights.ts";
import type { CoreRoom } from "./room.ts";
import { isUuid } from "./trace.ts";

/** What rows of a user are, an entry for each id asked for. */
export async function lookup(
  room: CoreRoom,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConfirmationState>> {
  const asked = ids.filter(isUuid);
  const rows = asked.length === 0 ? [] : await room.database.query<StateRow>(selectStates(userId, asked));
  return toStates(ids, rows);
}

/** The same, after rows past their time became `expired`. */
export async function expire(
  room: CoreRoom,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConfirmationState>> {
  const asked = ids.filter(isUuid);
  return toStates(ids, asked.length === 0 ? [] : await expireRows(room, userId, asked));
}

/** Makes rows past their time `expired` and answers what they are now. */
export async function expireRows(room: CoreRoom, userId: string, ids: readonly string[]): Promise<readonly StateRow[]> {
  const rows = await room.database.query<StateRow>(expireHeld(userId, ids));
  // Past its time and not expired: a spend or another had the row, and this statement read it as it was before.
  return rows.some((row) => row.ranOut) ? room.database.query<StateRow>(selectStates(userId, ids)) : rows;
}

/** Rows for a live session with what their cards show, where it may use their tools now. */
export async function readForUser(
  room: CoreRoom,
  sessionRef: string,
  ids: readonly string[],
): ReturnType<Core["getForUser"]> {
  const [loaded, site] = await Promise.all([loadSession(room, sessionRef), room.settings.site()]);
  if (!loaded.ok) return loaded;
  const { session } = loaded;
  if (isImpersonated(session)) return refused("impersonated");
  const asked = ids.filter(isUuid);
  const found = asked.length === 0 ? [] : await room.database.query<DetailRow>(selectDetails(session.userId, asked));
  const has = rememberRights(room, session);
  const judged = found.map(async (row): Promise<readonly [string, DetailAnswer]> => {
    const registered = room.registry.get(row.tool);
    const refusal = registered === undefined ? "unknown_tool" : await findRefusal(registered, site, { session, has });
    if (refusal === null) return [row.id, { ok: true, row: toDetail(row) }];
    return [row.id, { ...refused("forbidden"), state: toState(row) }];
  });
  const answers = new Map(await Promise.all(judged));
  return { ok: true, rows: new Map(ids.map((id) => [id, answers.get(id.toLowerCase()) ?? refused("invalid")])) };
}

function toStates(ids: readonly string[], rows: readonly StateRow[]): ReadonlyMap<string, ConfirmationState> {
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.map((id) => [id, found.get(id.toLowerCase()) ?? { ...gone, id }]));
}

const gone: Omit<ConfirmationState, "id"> = {
  status: "gone",
  ranOut: false,
  running: false,
  succeeded: null,
  runUntil: null,
  replacedBy: null,
  replacementHolds: false,
};

/** What a row is, without what only a session with the right to its tool may see. */
function toState(row: DetailRow): ConfirmationState {
  const { id, status, ranOut, running, succeeded, runUntil, replacedBy, replacementHolds } = row;
  return { id, status, ranOut, running, succeeded, runUntil, replacedBy, replacementHolds };
}

function toDetail(row: DetailRow): ConfirmationDetail {
  return { ...row, preview: cardPreview(row.preview) };
}
