import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import type { AddressCheck } from "./address-check.ts";
import { StreamFault } from "./stream-fault.ts";

/** A request as the provider packages make it: the part of `fetch` they use. */
export interface ModelRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
}

export interface ModelResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** Sends requests over kept connections; a redirect is never followed, since it could lead inward. */
export interface HttpFetch {
  send(request: ModelRequest, headersWithinMs: number): Promise<ModelResponse>;
  close(): void;
}

export function createHttpFetch(addresses: AddressCheck): HttpFetch {
  const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };
  return {
    send: (request, headersWithinMs) => {
      const { url } = request;
      addresses.checkUrl(url);
      const { promise, resolve, reject } = Promise.withResolvers<ModelResponse>();
      const secure = url.protocol === "https:";
      const sent = (secure ? https : http).request(
        url,
        {
          method: request.method,
          headers: { ...request.headers, "content-length": Buffer.byteLength(request.body) },
          agent: secure ? agents["https:"] : agents["http:"],
          lookup: addresses.lookupFor(url),
          ...(request.signal && { signal: request.signal }),
        },
        (answer) => {
          clearTimeout(timer);
          const status = answer.statusCode ?? 0;
          if (status >= 300 && status < 400) {
            answer.destroy();
            reject(new StreamFault("address", "the endpoint answered with a redirect, which is never followed"));
            return;
          }
          resolve({ status, headers: toHeaders(answer.headers), body: decoded(answer) });
        },
      );
      const timer = setTimeout(
        () => sent.destroy(new StreamFault("idle", "the provider did not begin to answer in time")),
        headersWithinMs,
      );
      sent.on("error", (error) => {
        clearTimeout(timer);
        reject(request.signal?.aborted ? request.signal.reason : error);
      });
      sent.end(request.body);
      return promise;
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function toHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === "set-cookie" ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/** Nothing is asked for compressed; some proxies compress all the same. */
function decoded(answer: http.IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"];
  if (encoding === "gzip" || encoding === "deflate") return piped(answer, createUnzip());
  return encoding === "br" ? piped(answer, createBrotliDecompress()) : answer;
}

function piped(from: Readable, through: ReturnType<typeof createUnzip>): Readable {
  from.on("error", (error) => through.destroy(error));
  through.on("close", () => from.destroy());
  return from.pipe(through);
}
