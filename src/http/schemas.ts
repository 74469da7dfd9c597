import { z } from "@hono/zod-openapi";
import type * as api from "../wire/api.ts";
import type * as cardTypes from "../wire/cards.ts";
import type * as messages from "../wire/messages.ts";
import { cardOutcomes } from "../wire/reasons.ts";
import { attachmentIds, sentFile } from "./attachment-schemas.ts";

// The answers as OpenAPI describes them. Each is compared by the compiler with the type that crosses the wire.

const time = z.string().openapi({ format: "date-time" });
const id = z.string().openapi({ format: "uuid" });
const outcome = z.enum(cardOutcomes).openapi("CardOutcome");
const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();
const count = z.number().int();

export const conversation = z
  .object({ id, title: orNull(z.string()), createdAt: time, lastMessageAt: orNull(time), lastSeq: count })
  .openapi("Conversation") satisfies z.ZodType<messages.Conversation>;

const base = { id, seq: count, conversationId: id, turnId: orNull(id), createdAt: time };
const usage = z
  .object({
    model: orNull(z.string()),
    inputTokens: orNull(count),
    outputTokens: orNull(count),
    costMicros: orNull(count),
    latencyMs: orNull(count),
  })
  .openapi("MessageUsage") satisfies z.ZodType<messages.MessageUsage>;
const userMessage = z
  .object({ ...base, role: z.literal("user"), text: z.string(), files: z.array(sentFile) })
  .openapi("UserMessage") satisfies z.ZodType<messages.UserMessage>;
const assistantMessage = z
  .object({
    ...base,
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(z.object({ id: z.string(), name: z.string(), title: z.string() })),
    usage: orNull(usage),
  })
  .openapi("AssistantMessage") satisfies z.ZodType<messages.AssistantMessage>;
const toolMessage = z
  .object({
    ...base,
    role: z.literal("tool"),
    callId: z.string(),
    tool: z.string(),
    title: z.string(),
    status: z.enum(["ok", "error", "denied", "needs_confirmation"]),
    confirmationId: orNull(id),
    followsId: orNull(id),
  })
  .openapi("ToolMessage") satisfies z.ZodType<messages.ToolMessage>;
const noticeMessage = z
  .object({
    ...base,
    role: z.literal("notice"),
    code: orNull(z.string() as unknown as z.ZodType<NonNullable<messages.NoticeMessage["code"]>>),
    confirmationId: orNull(id),
    outcome: orNull(outcome),
    tool: orNull(z.string()),
    title: orNull(z.string()),
    finished: orNull(z.boolean()),
  })
  .openapi("NoticeMessage");
const message = z
  .discriminatedUnion("role", [userMessage, assistantMessage, toolMessage, noticeMessage])
  .openapi("Message") satisfies z.ZodType<messages.Message>;

const value = z.union([z.string(), z.number(), z.boolean()]).nullable();
const card = z
  .object({
    messageId: id,
    confirmationId: id,
    state: z.enum(["waiting", "running", ...cardOutcomes, "unavailable"]),
    finished: orNull(z.boolean()),
    tool: z.string(),
    title: z.string(),
    preview: orNull(
      z.object({
        title: z.string(),
        changes: z.array(z.object({ label: z.string(), before: value, after: value })),
        warnings: z.array(z.string()),
      }),
    ),
    arguments: orNull(z.string()),
    cut: z.boolean(),
    expiresAt: orNull(time),
    repeatable: z.boolean(),
    rejectable: z.boolean(),
  })
  .openapi("Card") satisfies z.ZodType<cardTypes.Card>;
const cardsById = z.record(z.string(), card);

export const me = z
  .object({
    displayName: orNull(z.string()),
    locale: orNull(z.string()),
    timeZone: orNull(z.string()),
    mayManage: z.boolean(),
    model: orNull(z.object({ name: z.string(), demo: z.boolean(), images: z.boolean() })),
    limits: z.object({
      messageChars: count,
      attachmentBytes: count,
      attachmentsPerMessage: count,
      attachmentAccept: z.array(z.string()),
      turnsPerHour: count,
      turnsPerDay: count,
      budgetDay: orNull(z.number()),
      budgetMonth: orNull(z.number()),
    }),
  })
  .openapi("Me") satisfies z.ZodType<api.MeAnswer>;
export const conversations = z
  .object({ conversations: z.array(conversation), next: orNull(z.string()) })
  .openapi("Conversations") satisfies z.ZodType<api.ConversationsAnswer>;
export const conversationAnswer = z.object({ conversation }) satisfies z.ZodType<api.ConversationAnswer>;
export const messagesPage = z
  .object({ now: time, conversation, messages: z.array(message), hasEarlier: z.boolean(), cards: cardsById })
  .openapi("MessagesPage") satisfies z.ZodType<api.MessagesAnswer>;
export const cards = z.object({ now: time, messages: z.array(message).optional(), cards: cardsById }).openapi("Cards");
export const cardAnswer = z.object({ now: time, card }) satisfies z.ZodType<cardTypes.CardAnswer>;
export const startTurnAnswer = z.object({ turnId: id }) satisfies z.ZodType<api.StartTurnAnswer>;
export const clickAnswer = z
  .object({ outcome: z.enum([...cardOutcomes, "repeated"]), finished: z.boolean() })
  .openapi("Click") satisfies z.ZodType<api.ClickAnswer>;
export const ownSettings = z
  .object({ instructions: z.string() })
  .openapi("OwnSettings") satisfies z.ZodType<api.OwnSettings>;

// What requests are read with.
export const renameRequest = z.object({ title: z.string() }) satisfies z.ZodType<api.RenameRequest>;
export const startTurnRequest = z
  .object({ text: z.string(), clientId: z.string().min(1).max(100), attachmentIds: attachmentIds.optional() })
  .openapi("StartTurn") satisfies z.ZodType<api.StartTurnRequest>;

const orAbsent = <Value>(schema: z.ZodType<Value>) => schema.optional() as z.ZodType<Value | undefined>;
export const problem = z
  .object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: count,
    code: z.string().openapi({ description: "The reason: one of a closed list." }),
    detailCode: orAbsent(z.string()),
    detail: orAbsent(z.string()),
    conversationId: orAbsent(id),
    retryAfter: orAbsent(z.number()),
    outcome: orAbsent(outcome),
    finished: orAbsent(z.boolean()),
    newer: orAbsent(z.record(z.string(), z.unknown())),
  })
  .openapi("Problem") satisfies z.ZodType<{ readonly [Key in keyof api.Problem]: api.Problem[Key] | undefined }>;
