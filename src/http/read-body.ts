import { refused, type Outcome } from "../outcome.ts";
import type { RequestRefusal } from "../wire/reasons.ts";

/** The largest body a route takes, in bytes. */
export const bodyLimit = 262_144;

type BodyRefusal = Extract<RequestRefusal, "body_too_large" | "body_invalid" | "content_type_refused">;

/** Reads a JSON body, never more than the limit of it. */
export async function readJsonBody(request: Request): Promise<Outcome<{ readonly body: unknown }, BodyRefusal>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    return refused("content_type_refused");
  }
  if (Number(request.headers.get("content-length") ?? 0) > bodyLimit) return refused("body_too_large");
  const bytes = await readBytes(request.body);
  if (bytes === null) return refused("body_too_large");
  try {
    return { ok: true, body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return refused("body_invalid");
  }
}

/** The whole of a stream, or null as soon as it passes the limit. */
async function readBytes(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream ?? []) {
    length += chunk.byteLength;
    if (length > bodyLimit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
