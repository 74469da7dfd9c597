import { requestHeader } from "../wire/api.ts";
import type { RequestRefusal } from "../wire/reasons.ts";

/**
 * Whether a request that changes something comes from the site's own page: it carries a header that a foreign page can
 * only send after a preflight, which is never granted, and an `Origin` whose host is the one the request was sent to.
 * Only `Host` is believed; a proxy that rewrites it needs its public origins listed.
 */
export function foreignRequest(
  request: Request,
  allowedOrigins: ReadonlySet<string>,
): Extract<RequestRefusal, "header_missing" | "origin_refused"> | null {
  if (request.headers.get(requestHeader) !== "1") return "header_missing";
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return "origin_refused";
  const { origin: named, host, protocol } = new URL(origin);
  if (protocol !== "http:" && protocol !== "https:") return "origin_refused";
  if (allowedOrigins.has(named)) return null;
  // A request made in the process itself has no Host header: its URL says the same.
  const sentTo = request.headers.get("host") ?? new URL(request.url).host;
  return isSameHost(host, sentTo, protocol) ? null : "origin_refused";
}

/** Reads a list of origins; throws, naming it, for one that is none. */
export function toOrigins(origins: readonly string[]): ReadonlySet<string> {
  return new Set(
    origins.map((origin) => {
      if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
      throw new Error(
        `countersign: allowedOrigins: expected an origin like "https://app.example.com", got ${JSON.stringify(origin)}.`,
      );
    }),
  );
}

/** A host may name the default port of its scheme; an origin never does. */
function isSameHost(originHost: string, sentTo: string, protocol: string): boolean {
  const url = `${protocol}//${sentTo}`;
  return URL.canParse(url) && new URL(url).host === originHost;
}
