import { refused, type Outcome } from "../outcome.ts";
import { callHost } from "./call-host.ts";
import { describeError } from "./describe-error.ts";
import type { CoreRoom } from "./room.ts";
import type { Session } from "./session.ts";

/** Loads the session a ref names, as it is now. A throw, a late answer or one that is no session is `session_unavailable`, never a sign-out. */
export async function loadSession(
  room: CoreRoom,
  ref: string,
): Promise<Outcome<{ readonly session: Session }, "session_invalid" | "session_unavailable">> {
  const answer = await callHost(() => room.sessions.load(ref), { limit: room.settings.fixed.hostCallLimit });
  if (answer.how === "answered") {
    const session: unknown = answer.value;
    if (session === null || session === undefined) return refused("session_invalid");
    if (isSession(session)) return { ok: true, session };
    room.logger.error({}, "sessions.load answered something without a userId and can()");
    return refused("session_unavailable");
  }
  const error = answer.how === "threw" ? describeError(answer.error) : undefined;
  room.logger.warn({ how: answer.how, error }, "sessions.load gave no answer");
  return refused("session_unavailable");
}

/** Whether somebody acts in this session in its user's name. Anything but an absent value counts, whatever the host puts there. */
export function isImpersonated(session: Session): boolean {
  return session.impersonatedBy !== undefined && session.impersonatedBy !== null;
}

function isSession(value: unknown): value is Session {
  if (typeof value !== "object" || value === null) return false;
  if (!("userId" in value) || typeof value.userId !== "string") return false;
  // The user '' is the site.
  const named = value.userId !== "" && !value.userId.includes("\0") && value.userId.isWellFormed();
  return named && "can" in value && typeof value.can === "function";
}
