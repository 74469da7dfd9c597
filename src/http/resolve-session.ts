import type { Sessions } from "../core/session.ts";
import { refused, type Outcome } from "../outcome.ts";

/** The ref of the sign-in that sent a request. The host's failure to say it, or to say it in time, is no sign-out. */
export async function resolveSession(
  sessions: Sessions,
  asked: { readonly request: Request; readonly limitMs: number },
): Promise<Outcome<{ readonly sessionRef: string }, "session_invalid" | "session_unavailable">> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, asked.limitMs, "late");
  });
  try {
    const resolved = (async () => ({ ref: await sessions.resolve(asked.request) }))();
    const answer = await Promise.race([resolved, late]);
    if (answer === "late") return refused("session_unavailable");
    return answer.ref === null ? refused("session_invalid") : { ok: true, sessionRef: answer.ref };
  } catch {
    return refused("session_unavailable");
  } finally {
    clearTimeout(timer);
  }
}
