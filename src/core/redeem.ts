// A click: the checks with the rights of this session now, the row, a fresh dry run compared with the approved one, the
// spend, and only then the handler, once. Whatever is refused before the spend has changed nothing.
import { v7 as uuid } from "uuid";
import { invariant } from "../outcome.ts";
import type { CheckCode } from "../wire/reasons.ts";
import { callHost } from "./call-host.ts";
import { askAgain } from "./ask-again.ts";
import { type ClickedRow, replaceHeld, spendHeld } from "./confirmations.sql.ts";
import type { CoreRefusal, RedeemAnswer, Redemption } from "./core.ts";
import { dryRun, type Rehearsed, toStoredPreview } from "./dry-run.ts";
import { codeOf } from "./execute.ts";
import { admit, letThrough, type Passed } from "./let-through.ts";
import { hashArguments } from "./read-arguments.ts";
import { expireRows } from "./read-rows.ts";
import type { CoreRoom } from "./room.ts";
import { limitOf } from "./run-handler.ts";
import { runSpent } from "./run-spent.ts";
import { languageOf } from "./tool-context.ts";
import type { AnyWriteTool } from "./tool.ts";
import type { Session } from "./session.ts";
import { durationOf, recordCall, recordRefused } from "./trace.ts";

/** After a dry run that took longer, the session is loaded once more before the spend. */
const freshForMs = 1_000;

export async function redeem(room: CoreRoom, sessionRef: string, redemption: Redemption): Promise<RedeemAnswer> {
  const asked = { call: redemption, confirmationId: redemption.confirmationId };
  const passed = await letThrough(room, sessionRef, asked);
  if (!passed.ok) return passed;
  const refuseWith = async (answer: RedeemAnswer & { readonly ok: false }): Promise<RedeemAnswer> => {
    await recordCall(room, passed.trace, codeOf(answer));
    return answer;
  };

  const settled = await readRow(room, passed);
  if (settled !== null) return refuseWith(settled);
  const { tool } = passed.registered;
  if (tool.kind !== "write" || isAnother(passed)) return refuseWith({ ok: false, reason: "mismatch" });

  const rehearsedAt = room.now();
  const { session, count } = passed;
  const now = languageOf(session);
  const language = { locale: count.locale ?? now.locale, timeZone: count.timeZone ?? now.timeZone };
  const rehearsed = await dryRun(room, { ...passed, tool, call: redemption, language });
  if (!rehearsed.ok) return refuseWith(rehearsed);
  if (rehearsed.fingerprint !== count.fingerprint) return replace(room, passed, rehearsed);

  const giveUp = async (refusal: CoreRefusal<CheckCode | "approval_missing">): Promise<RedeemAnswer> => {
    await recordRefused(room, passed.trace, { code: refusal.reason, giveBack: passed.giveBack });
    return refusal;
  };
  if (!(await isApproved(room, redemption, session))) return giveUp({ ok: false, reason: "approval_missing" });
  const click = { tool, redemption, passed, rehearsed };
  if (room.now() - rehearsedAt <= freshForMs) return spend(room, click);
  const again = await admit(room, sessionRef, asked);
  if (!again.ok) return giveUp(again.refusal);
  if (again.userId !== session.userId) return giveUp({ ok: false, reason: "session_invalid" });
  return spend(room, { ...click, passed: { ...passed, session: again.session } });
}

async function isApproved(room: CoreRoom, { approve }: Redemption, session: Session): Promise<boolean> {
  if (approve === undefined) return true;
  const answer = await callHost(() => approve(session), { limit: room.settings.fixed.hostCallLimit });
  return answer.how === "answered" && answer.value === true;
}

type Settled = Exclude<RedeemAnswer, { readonly ok: true } | CoreRefusal<CheckCode>>;

/** What a row answers that no longer holds; null while it does. */
async function readRow(room: CoreRoom, { count, trace }: Passed): Promise<(Settled & { readonly ok: false }) | null> {
  if (!count.ranOut) return toSettled({ status: count.status, replacedBy: count.replacedBy });
  invariant(trace.row.confirmationId !== null, "a row that was read was named");
  // Running out is decided by the row, between this and a spend that is under way.
  const [state] = await expireRows(room, trace.row.userId, [trace.row.confirmationId]);
  return toSettled({ status: state?.status ?? null, replacedBy: state?.replacedBy ?? null });
}

function toSettled({ status, replacedBy }: Omit<ClickedRow, "done">): (Settled & { readonly ok: false }) | null {
  if (status === null) return { ok: false, reason: "invalid" };
  if (status === "held") return null;
  if (status !== "replaced") return { ok: false, reason: status };
  invariant(replacedBy !== null, "a replaced row names the row that replaced it");
  return { ok: false, reason: "changed", replacedBy };
}

function isAnother({ registered, count, args }: Passed): boolean {
  return count.heldTool !== registered.name || count.argsHash !== hashArguments(args);
}

/** The dry run says something else than what was approved: the row is replaced by one that says what is true now. */
async function replace(room: CoreRoom, passed: Passed, rehearsed: Rehearsed): Promise<RedeemAnswer> {
  const { registered, site, trace } = passed;
  const held = {
    id: uuid(),
    module: registered.module.key,
    toolTitle: registered.title,
    argsHash: rehearsed.argsHash,
    shown: toStoredPreview(rehearsed.preview),
    fingerprint: rehearsed.fingerprint,
    ttlSeconds: site.values.confirmationTtl,
  };
  const statement = replaceHeld(held, trace.row, durationOf(room, trace));
  const row = await askAgain(() => ask(room, statement));
  if (row.done) return { ok: false, reason: "changed", replacedBy: held.id };
  return toSettled(row) ?? { ok: false, reason: "invalid" };
}

interface Click {
  readonly tool: AnyWriteTool;
  readonly redemption: Redemption;
  readonly passed: Passed;
  readonly rehearsed: Rehearsed;
}

async function spend(room: CoreRoom, { tool, redemption, passed, rehearsed }: Click): Promise<RedeemAnswer> {
  const { trace, session, input } = passed;
  const runMs = limitOf(room, tool.timeLimit) + room.settings.fixed.runEndMargin;
  const statement = spendHeld(trace.row, runMs, durationOf(room, trace));
  // A commit whose answer was lost is read back by the same statement: the row bears this execution's id.
  const row = await askAgain(() => ask(room, statement));
  if (!row.done) return toSettled(row) ?? { ok: false, reason: "invalid" };
  return runSpent(room, { tool, call: redemption, session, input, trace, data: rehearsed.preview.data });
}

async function ask(room: CoreRoom, statement: ReturnType<typeof spendHeld>): Promise<ClickedRow> {
  const [row] = await room.database.query<ClickedRow>(statement);
  invariant(row !== undefined, "a click's statement always answers one row");
  return row;
}
