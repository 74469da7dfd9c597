import type { Call } from "./core.ts";
import type { Session } from "./session.ts";
import type { ToolContext } from "./tool.ts";

export interface Language {
  readonly locale: string;
  readonly timeZone: string;
}

/** The language and zone of a session: `en` and `UTC` where the host says nothing usable. */
export function languageOf(session: Session): Language {
  return { locale: usable(session.locale, "en"), timeZone: usable(session.timeZone, "UTC") };
}

/** What a handler gets beside its input. */
export function toContext(made: {
  readonly session: Session;
  readonly call: Call;
  readonly signal: AbortSignal;
  readonly language: Language;
}): ToolContext {
  const { session, call, signal, language } = made;
  const { requestId, ip, userAgent } = call.requestContext;
  return { requestId, ip, userAgent, session, via: call.via, signal, ...language };
}

function usable(tag: unknown, otherwise: string): string {
  return typeof tag === "string" && /^[\w+/-]{1,64}$/.test(tag) ? tag : otherwise;
}
