import { innerStatusHeader } from "./guarded-fetch.ts";
import { StreamFault } from "./stream-fault.ts";

/** What a classifier needs of a failure, whatever shape it came in. */
export interface Failure {
  /** Set when our own guard over the stream ended it. */
  readonly fault: StreamFault["fault"] | null;
  /** The HTTP status, or a code of the body that is one. */
  readonly status: number | null;
  /** The provider's own words: searched for signs, logged cut and scrubbed, never shown. */
  readonly words: string;
  /** The same, piece by piece as they came: bodies and messages. */
  readonly pieces: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** The connection failed before an answer began. */
  readonly unanswered: boolean;
  /** The request never reached the provider. */
  readonly unsent: boolean;
  /** It came inside an answer of status 200: the provider was reached, and the status is one it names itself. */
  readonly inside: boolean;
}

interface Loose {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly cause?: unknown;
  readonly lastError?: unknown;
  readonly responseBody?: unknown;
  readonly responseHeaders?: unknown;
  readonly data?: unknown;
  readonly value?: unknown;
  readonly text?: unknown;
  readonly error?: unknown;
}

const unsentCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/;
/** Of the network, of TLS and of HTTP's own parser. */
const connectionCodes = /^(?:E[A-Z]|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HPE_)/;

/** Reads a thrown error, or the error part of a stream: the package's classes, plain objects and bare strings alike. */
export function readFailure(error: unknown): Failure {
  const chain = causes(error);
  const fault = chain.find((one) => one instanceof StreamFault)?.fault ?? null;
  const headers = chain.find((one) => isObject(one.responseHeaders))?.responseHeaders;
  const inner = (headers as Record<string, string> | undefined)?.[innerStatusHeader];
  const said = inner === "none" ? null : (chain.map(statusOf).find((one) => one !== null) ?? null);
  const pieces = piecesOf(chain, error);
  const words = pieces.join("\n");
  const status = said === null || (said >= 400 && said < 500 && said !== 400) ? said : (nestedStatus(words) ?? said);
  const codes = chain
    .filter((one) => one instanceof Error)
    .flatMap(({ code }: Loose) => (typeof code === "string" ? [code] : []));
  return {
    fault,
    status,
    words,
    pieces,
    headers: (headers ?? {}) as Record<string, string>,
    inside: inner !== undefined || (fault === null && headers === undefined),
    unanswered: status === null && codes.some((code) => connectionCodes.test(code)),
    unsent: fault === "address" || (status === null && codes.some((code) => unsentCodes.test(code))),
  };
}

/** A gateway prints the error it got inside its own: `Error code: 429 - {…}`. */
function nestedStatus(words: string): number | null {
  const found = Number(/error code:?\s*(\d{3})\b/i.exec(words)?.[1] ?? Number.NaN);
  return found >= 400 && found < 600 ? found : null;
}

function causes(error: unknown): Loose[] {
  const chain: Loose[] = [];
  for (let one: unknown = error; isObject(one) && chain.length < 8;) {
    chain.push(one);
    const inner = one.cause ?? one.lastError;
    // an error in a body nests its truth one level deeper
    one = inner ?? (isObject(one.error) && !(one instanceof Error) ? one.error : undefined);
  }
  return chain;
}

function statusOf(one: Loose): number | null {
  for (const candidate of [one.statusCode, one.status, one.code]) {
    const status = Number(typeof candidate === "number" || typeof candidate === "string" ? candidate : Number.NaN);
    if (status >= 400 && status < 600) return status;
  }
  return null;
}

function piecesOf(chain: readonly Loose[], error: unknown): readonly string[] {
  if (typeof error === "string") return [error];
  const pieces: string[] = [];
  for (const one of chain) {
    for (const piece of [one.responseBody, one.data, one.value, one.text]) {
      if (piece !== undefined && piece !== null) pieces.push(typeof piece === "string" ? piece : asText(piece));
    }
    if (one instanceof Error && !isOfThePackage(one)) pieces.push(one.message);
    else if (one === error && !(one instanceof Error)) pieces.push(asText(one));
  }
  return pieces;
}

/** Says what the package expected, at length and with the whole answer in it: none of the provider's words. */
function isOfThePackage({ name }: Error): boolean {
  return name === "AI_TypeValidationError" || name === "AI_JSONParseError" || /Zod/.test(name);
}

function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null;
}
