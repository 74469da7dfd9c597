import { z } from "@hono/zod-openapi";
import type * as api from "../wire/api.ts";
import type { SentFile } from "../wire/messages.ts";
import { attachmentCodes } from "../wire/reasons.ts";

const id = z.string().openapi({ format: "uuid" });

export const sentFile = z
  .object({ id, name: z.string(), type: z.string(), size: z.number().int(), picture: z.boolean() })
  .openapi("SentFile") satisfies z.ZodType<SentFile>;

const attachment = z
  .object({
    id,
    conversationId: id,
    name: z.string(),
    type: z.string().nullable(),
    size: z.number().int(),
    picture: z.boolean(),
    state: z.enum(["uploading", "reading", "ready", "failed"]),
    code: z.enum(attachmentCodes).nullable(),
    again: z.boolean(),
    createdAt: z.string().openapi({ format: "date-time" }),
  })
  .openapi("Attachment") satisfies z.ZodType<api.Attachment>;

export const attachmentAnswer = z.object({ attachment }) satisfies z.ZodType<api.AttachmentAnswer>;
export const attachmentsAnswer = z.object({
  attachments: z.array(attachment),
}) satisfies z.ZodType<api.AttachmentsAnswer>;
/** At most as many as any site may allow; how many this one allows is the turn's to say. */
export const attachmentIds = z.array(z.uuid()).max(50);
