import { requestHeader } from "../wire/api.ts";
import type { Attachment, AttachmentAnswer, Problem } from "../wire/api.ts";

export interface FileRequest {
  readonly url: string;
  readonly file: File;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Hears the share that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** The host's own `fetch`, which then is used; it tells no progress. */
  readonly fetch?: typeof fetch | undefined;
}

/** Sends one file as the body of a request. Never throws: a lost connection is the code `offline`. */
export async function sendFile(
  request: FileRequest,
): Promise<{ readonly attachment: Attachment } | { readonly code: string }> {
  const headers = { [requestHeader]: "1", "content-type": "application/octet-stream", ...request.headers };
  try {
    const text = request.fetch ? await byFetch(request.fetch, request, headers) : await byXhr(request, headers);
    // A parsed edge: the server's answers are typed by `wire`.
    const answer = JSON.parse(text) as Partial<AttachmentAnswer & Problem>;
    return answer.attachment ? { attachment: answer.attachment } : { code: answer.code ?? "unreadable" };
  } catch {
    return { code: "offline" };
  }
}

async function byFetch(ask: typeof fetch, { url, file, signal }: FileRequest, headers: HeadersInit): Promise<string> {
  const response = await ask(url, { method: "POST", credentials: "same-origin", body: file, headers, signal });
  return response.text();
}

/** The one way in which a browser tells how much of a body was sent. */
function byXhr({ url, file, signal, onProgress }: FileRequest, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => resolve(request.responseText));
    request.addEventListener("error", () => reject(new Error("lost")));
    request.addEventListener("abort", () => reject(new Error("given up")));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
