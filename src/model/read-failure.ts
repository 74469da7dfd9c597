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
  readonly headers: Readonly<Record<string, string>>;
  /** An answer from the provider never began. */
  readonly unanswered: boolean;
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

/** Reads a thrown error, or the error part of a stream: the package's classes, plain objects and bare strings alike. */
export function readFailure(error: unknown): Failure {
  const chain = causes(error);
  const fault = chain.find((one) => one instanceof StreamFault)?.fault ?? null;
  const headers = chain.find((one) => isObject(one.responseHeaders))?.responseHeaders;
  const unknownInside = (headers as Record<string, string> | undefined)?.[innerStatusHeader] === "none";
  const status = unknownInside ? null : (chain.map(statusOf).find((one) => one !== null) ?? null);
  return {
    fault,
    status,
    words: wordsOf(chain, error),
    headers: (headers ?? {}) as Record<string, string>,
    unanswered:
      status === null && chain.some((one) => typeof one.code === "string" && /^(E[A-Z]+|UND_ERR)/.test(one.code)),
  };
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

function wordsOf(chain: readonly Loose[], error: unknown): string {
  if (typeof error === "string") return error;
  const pieces: string[] = [];
  for (const one of chain) {
    for (const piece of [one.responseBody, one.data, one.value, one.text]) {
      if (piece !== undefined && piece !== null) pieces.push(typeof piece === "string" ? piece : asText(piece));
    }
    if (one instanceof Error) pieces.push(one.message);
    else if (one === error) pieces.push(asText(one));
  }
  return pieces.join("\n");
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
