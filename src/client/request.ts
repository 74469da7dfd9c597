import { requestHeader } from "../wire/api.ts";
import type { Problem } from "../wire/api.ts";
import type { Failure } from "./snapshot.ts";

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export interface RequestOptions {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  /** Headers of the host's own, asked for at each request. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Sends one request to the assistant. Never throws: a lost connection is the failure `offline`. */
export interface Request {
  <Value>(method: Method, path: string, body?: object): Promise<Answer<Value>>;
  /** An event stream, resumed after a seq. */
  stream(path: string, lastSeq: number, signal: AbortSignal): Promise<Answer<Response>>;
}

const nothing: Failure = { code: "offline", status: 0 };

export function createRequest(options: RequestOptions): Request {
  const base = options.baseUrl.replace(/\/+$/, "");

  async function send(path: string, init: RequestInit, more?: Record<string, string>): Promise<Answer<Response>> {
    try {
      const headers = { [requestHeader]: "1", "content-type": "application/json", ...options.headers?.(), ...more };
      const response = await options.fetch(base + path, { headers, ...init });
      return response.ok ? { ok: true, value: response } : { ok: false, failure: await toFailure(response) };
    } catch {
      return { ok: false, failure: nothing };
    }
  }

  const request: Request = async <Value>(method: Method, path: string, body = {}): Promise<Answer<Value>> => {
    const answer = await send(path, { method, body: method === "GET" ? null : JSON.stringify(body) });
    if (!answer.ok) return answer;
    try {
      // A parsed edge: the server's answers are typed by `wire`. An empty body reads as an empty object.
      return { ok: true, value: JSON.parse((await answer.value.text()) || "{}") as Value };
    } catch {
      return { ok: false, failure: nothing };
    }
  };
  request.stream = (path, lastSeq, signal) => send(path, { signal }, { "last-event-id": `${lastSeq}` });
  return request;
}

async function toFailure(response: Response): Promise<Failure> {
  // Something between the browser and the assistant may answer too: a proxy's page, a login form.
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
  return { ...problem, code: problem?.code ?? "unreadable", status: response.status };
}

/** Whether the same request may be sent again: nobody can tell what became of it, or the server only was not ready. A model that is not set up (`no_endpoint`, `no_price`) stays so. */
export function isPassing({ code, status }: Failure): boolean {
  return status === 0 || (status >= 500 && !code.startsWith("no_"));
}
