import { z } from "@hono/zod-openapi";
import type { Attachments, Download } from "../attachment/attachments.ts";
import { attachmentAnswer, attachmentsAnswer } from "./attachment-schemas.ts";
import { chatRefusals } from "./chat-routes.ts";
import { defineRoute, type Route, type RouteAnswer } from "./route.ts";

/** Files: sent up, looked at, fetched, taken away. */
export function attachmentRoutes(attachments: Attachments): readonly Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/conversations/{conversationId}/attachments",
      summary: "Uploads one file as the body of the request. What it is, is found in its content.",
      query: z.object({ name: z.string().max(16_000).default("file") }),
      upload: true,
      success: 201,
      answer: attachmentAnswer,
      refusals: [
        ...chatRefusals,
        "assistant_off",
        "file_empty",
        "file_too_large",
        "too_many_files",
        "too_much_waiting",
        "upload_broken",
        "shutting_down",
      ],
      async handle({ sessionRef, conversationId, query, request }) {
        const answer = await attachments.upload(sessionRef, {
          ...{ conversationId, name: query.name, size: sizeOf(request) },
          ...{ body: request.body, signal: request.signal },
        });
        return answer.ok ? { ok: true, body: { attachment: answer.attachment } } : answer;
      },
    }),
    defineRoute({
      method: "GET",
      path: "/conversations/{conversationId}/attachments",
      summary: "The files of a chat that were not sent yet, in the order in which they came.",
      success: 200,
      answer: attachmentsAnswer,
      refusals: chatRefusals,
      async handle({ sessionRef, conversationId }) {
        const answer = await attachments.waiting(sessionRef, { conversationId });
        return answer.ok ? { ok: true, body: { attachments: answer.attachments } } : answer;
      },
    }),
    defineRoute({
      method: "GET",
      path: "/attachments/{attachmentId}",
      summary: "A file's content: a picture as it was made anew, anything else as it was uploaded, for saving.",
      success: 200,
      streamType: "application/octet-stream",
      refusals: chatRefusals,
      handle: async ({ sessionRef, attachmentId }) =>
        toFile(await attachments.download(sessionRef, { attachmentId, thumbnail: false })),
    }),
    defineRoute({
      method: "GET",
      path: "/attachments/{attachmentId}/thumbnail",
      summary: "A small picture of a picture.",
      success: 200,
      streamType: "image/webp",
      refusals: chatRefusals,
      handle: async ({ sessionRef, attachmentId }) =>
        toFile(await attachments.download(sessionRef, { attachmentId, thumbnail: true })),
    }),
    defineRoute({
      method: "DELETE",
      path: "/attachments/{attachmentId}",
      summary: "Takes a file away that was not sent yet.",
      success: 204,
      refusals: [...chatRefusals, "file_sent"],
      async handle({ sessionRef, attachmentId }) {
        const answer = await attachments.remove(sessionRef, { attachmentId });
        return answer.ok ? { ok: true, body: null } : answer;
      },
    }),
    defineRoute({
      method: "POST",
      path: "/attachments/{attachmentId}/read",
      summary: "Reads a file again whose reading was interrupted.",
      success: 202,
      answer: attachmentAnswer,
      refusals: [...chatRefusals, "assistant_off", "file_not_readable", "shutting_down"],
      async handle({ sessionRef, attachmentId }) {
        const answer = await attachments.readAgain(sessionRef, { attachmentId });
        return answer.ok ? { ok: true, body: { attachment: answer.attachment } } : answer;
      },
    }),
  ];
}

function sizeOf(request: Request): number | null {
  const said = request.headers.get("content-length");
  return said !== null && /^\d{1,15}$/.test(said) ? Number(said) : null;
}

type Downloaded = Awaited<ReturnType<Attachments["download"]>>;

/** Whatever it holds, a browser runs nothing of it: it is saved, or shown as a picture that was made here. */
function toFile(answer: Downloaded): RouteAnswer {
  if (!answer.ok) return answer;
  return {
    ok: true,
    stream: answer.stream,
    headers: {
      "content-type": answer.inline ? answer.type : "application/octet-stream",
      "content-disposition": toDisposition(answer),
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    },
  };
}

/** RFC 6266: the name in ASCII for old readers, and whole in UTF-8. */
export function toDisposition({ name, inline }: Pick<Download, "name" | "inline">): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
