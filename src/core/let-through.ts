// The checks, in their one order, for execute and redeem: session, impersonation, tool, module, box, scope, permission,
// rate, input. Nothing later is looked at once one fails. It runs no tool and reads no row but the one a redeem names.
import type { Beside } from "../database/beside.ts";
import { invariant } from "../outcome.ts";
import type { EffectiveSettings } from "../settings/settings.ts";
import type { CheckCode } from "../wire/reasons.ts";
import { callHost } from "./call-host.ts";
import type { Call, CoreRefusal } from "./core.ts";
import { describeError } from "./describe-error.ts";
import type { InputVerdict } from "./input-check.ts";
import { isImpersonated, loadSession } from "./load-session.ts";
import { type Bucket, countCall, countLimitedCall, type CountRow } from "./rates.sql.ts";
import { readArguments } from "./read-arguments.ts";
import type { RegisteredTool } from "./registry.ts";
import { can, findRefusal } from "./rights.ts";
import type { CoreRoom } from "./room.ts";
import type { Session } from "./session.ts";
import type { JsonObject } from "./tool.ts";
import type { CountToReturn } from "./tool-calls.sql.ts";
import { recordCall, recordRefused, toTrace, type Trace } from "./trace.ts";

/** A call that every check let through. */
export interface Passed {
  readonly ok: true;
  readonly session: Session;
  readonly registered: RegisteredTool;
  readonly site: EffectiveSettings;
  readonly args: JsonObject;
  /** What the schema made of the arguments: the tool's own type. */
  readonly input: never;
  /** For a redeem: the row it names, as it was read with the count. */
  readonly count: CountRow;
  /** What is given back when something still refuses before anything was done. */
  readonly giveBack: CountToReturn;
  readonly trace: Trace;
}

/** What is asked for: a call as it came, and the row when it is a redeem. */
export interface Asked {
  readonly call: Call;
  readonly confirmationId: string | null;
}

type Admitted = Pick<Passed, "session" | "site"> & { readonly ok: true; readonly registered: RegisteredTool };

/** A call that was looked at up to its count, which is due: together with what else is stored then, or alone. */
export interface Prepared {
  /** Null for a call that is refused already. */
  readonly count: Beside | null;
  /** Goes on to the end of the checks; counts first where that was not done. A refusal's audit row is written. */
  finish(): Promise<Passed | CoreRefusal<CheckCode>>;
}

/** Lets a call through, counted, or refuses it with the code of the first check that fails and the audit row written. */
export async function letThrough(
  room: CoreRoom,
  sessionRef: string,
  asked: Asked,
): Promise<Passed | CoreRefusal<CheckCode>> {
  return (await prepare(room, sessionRef, asked)).finish();
}

/** The same in two steps, so that the count can be one round trip with something else. */
export async function prepare(room: CoreRoom, sessionRef: string, asked: Asked): Promise<Prepared> {
  const startedAt = room.now();
  const { call, confirmationId } = asked;
  const registered = room.registry.get(call.tool);
  const step = confirmationId !== null ? "redeem" : registered?.tool.kind === "write" ? "hold" : "read";
  const admitted = await admit(room, sessionRef, asked);
  if (admitted.userId === null) return { count: null, finish: async () => admitted.refusal };
  const { tool, via, requestContext } = call;
  const who = { sessionRef, userId: admitted.userId, via, requestContext };
  const trace = toTrace({ ...who, tool, registered, step, confirmationId, startedAt });
  if (!admitted.ok) {
    const finish = async (): Promise<CoreRefusal<CheckCode>> => {
      await recordCall(room, trace, admitted.refusal.reason);
      return admitted.refusal;
    };
    return { count: null, finish };
  }

  const counting = toCount(room, admitted, trace);
  return {
    count: counting.count,
    async finish() {
      const counted = await counting.counted();
      const refuseWith = async (refusal: CoreRefusal<CheckCode>): Promise<CoreRefusal<CheckCode>> => {
        await recordRefused(room, trace, { code: refusal.reason, giveBack: counted.giveBack });
        return refusal;
      };
      if (counted.row.window === null) {
        return refuseWith({ ok: false, reason: "rate_limited", retryAfter: counted.row.retryAfter });
      }
      const read = readArguments(call.args, room.settings.fixed);
      if (!read.ok) return refuseWith({ ...read, reason: "invalid_input" });
      const verdict = await checkInput(room, admitted.registered, read.value);
      if (!verdict.ok) return refuseWith({ ...verdict, reason: "invalid_input" });
      const { session, site } = admitted;
      const passed = { session, site, registered: admitted.registered, args: read.value, input: verdict.input };
      return { ok: true, ...passed, count: counted.row, giveBack: counted.giveBack, trace };
    },
  };
}

/** The checks from the session to the permission. `userId` is null when there is no session that could be booked. */
export async function admit(
  room: CoreRoom,
  sessionRef: string,
  { call, confirmationId }: Asked,
): Promise<
  | (Admitted & { readonly userId: string })
  | { readonly ok: false; readonly userId: string; readonly refusal: CoreRefusal<CheckCode> }
  | { readonly ok: false; readonly userId: null; readonly refusal: CoreRefusal<CheckCode> }
> {
  const isRedeem = confirmationId !== null;
  const registered = room.registry.get(call.tool);
  // A redeem reads the settings anew: a box that was switched off on another node counts at once.
  const [loaded, site] = await Promise.all([
    loadSession(room, sessionRef),
    room.settings.site(isRedeem ? { fresh: true } : {}),
  ]);
  if (!loaded.ok) return { ok: false, userId: null, refusal: loaded };
  const { session } = loaded;
  const { userId } = session;
  const no = (reason: CheckCode) => ({ ok: false, userId, refusal: { ok: false, reason } }) as const;
  const mustBeOwn = isRedeem || call.via === "agent" || registered?.tool.kind === "write";
  if (mustBeOwn && isImpersonated(session)) return no("impersonated");
  if (registered === undefined) return no("unknown_tool");
  const has = (permission: string): Promise<boolean> => can(room, session, permission);
  const refusal = await findRefusal(registered, site, { session, has });
  return refusal === null ? { ok: true, userId, session, site, registered } : no(refusal);
}

interface Counted {
  readonly row: CountRow;
  readonly giveBack: CountToReturn;
}

function toCount(
  room: CoreRoom,
  { session, registered, site }: Admitted,
  { row }: Trace,
): { readonly count: Beside; counted(): Promise<Counted> } {
  const bucket: Bucket = row.step === "redeem" ? "redeems" : registered.tool.kind === "write" ? "holds" : "reads";
  const { readsPerMinute, holdsPerMinute, redeemsPerMinute } = site.values;
  const call = {
    userId: session.userId,
    bucket,
    limit: { reads: readsPerMinute, holds: holdsPerMinute, redeems: redeemsPerMinute }[bucket],
    confirmationId: row.confirmationId,
  };
  const { rateLimit } = registered.tool;
  const statement = rateLimit === undefined ? countCall(call) : countLimitedCall(call, registered.name, rateLimit);
  let answered: CountRow | undefined;
  const count: Beside = {
    statement,
    written(rows) {
      // The one row of the statement above.
      [answered] = rows as readonly CountRow[];
    },
    alone: async () => count.written(await room.database.query(statement)),
  };
  return {
    count,
    async counted() {
      if (answered === undefined) await count.alone();
      invariant(answered !== undefined, "a count always answers one row");
      const { toolWindow, window } = answered;
      return { row: answered, giveBack: { bucket, tool: registered.name, toolWindow, window } };
    },
  };
}

/** A schema that throws or does not answer has not let the arguments through. */
async function checkInput(room: CoreRoom, registered: RegisteredTool, args: JsonObject): Promise<InputVerdict> {
  const answer = await callHost(() => registered.checkInput(args), { limit: room.settings.fixed.hostCallLimit });
  if (answer.how === "answered") return answer.value;
  const error = answer.how === "threw" ? describeError(answer.error) : undefined;
  room.logger.warn({ tool: registered.name, how: answer.how, error }, "an input schema gave no answer");
  return { ok: false, invalidPaths: ["$"] };
}
