import { cleanJson, cleanText } from "./clean.ts";
import type { ToolStatus } from "../wire/messages.ts";
import type { NoticeCode } from "../wire/reasons.ts";
import type { MessageRow } from "./message-row.ts";
import type { NewMessage, StoredCall, StoredUsage } from "./stored-message.ts";

/** A message as a storing statement takes it. `place` counts from 1. */
export interface NewRow {
  readonly place: number;
  readonly id: string;
  readonly role: MessageRow["role"];
  readonly text?: string;
  readonly tool_calls?: readonly StoredCall[];
  readonly tool_call_id?: string;
  readonly tool_name?: string;
  readonly tool_status?: ToolStatus;
  readonly tool_result?: string;
  readonly confirmation_id?: string;
  readonly assistant_message_id?: string;
  readonly code?: NoticeCode;
  readonly ai_request_id?: string | null;
  readonly model?: string | null;
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cost_micros?: number | null;
  readonly latency_ms?: number | null;
}

/** Messages as rows, in their order, of text that the database takes. */
export function toNewRows(messages: readonly NewMessage[]): readonly NewRow[] {
  return messages.map((message, index) => toNewRow(message, index + 1));
}

function toNewRow(message: NewMessage, place: number): NewRow {
  const { id } = message;
  switch (message.role) {
    case "assistant":
      return {
        place,
        id,
        role: "assistant",
        text: cleanText(message.text),
        ...(message.calls.length === 0 ? {} : { tool_calls: message.calls.map(toClean) }),
        ...toUsage(message.usage),
      };
    case "tool":
      return {
        place,
        id,
        role: "tool",
        tool_call_id: cleanText(message.callId),
        tool_name: cleanText(message.tool),
        tool_status: message.status,
        tool_result: cleanText(message.result),
        assistant_message_id: message.assistantMessageId,
      };
    case "card":
      return {
        place,
        id,
        role: "tool",
        tool_call_id: cleanText(message.callId),
        tool_name: cleanText(message.tool),
        tool_status: "needs_confirmation",
        confirmation_id: message.confirmationId,
        assistant_message_id: message.assistantMessageId,
      };
    case "notice":
      return {
        place,
        id,
        role: "notice",
        code: message.code,
        ...(message.usage === null ? {} : toUsage(message.usage)),
      };
  }
}

function toClean(call: StoredCall): StoredCall {
  return {
    id: cleanText(call.id),
    providerId: call.providerId === null ? null : cleanText(call.providerId),
    name: cleanText(call.name),
    arguments: cleanText(call.arguments),
    ...(call.providerMetadata === undefined ? {} : { providerMetadata: cleanJson(call.providerMetadata) }),
  };
}

function toUsage(usage: StoredUsage): Partial<NewRow> {
  return {
    ai_request_id: usage.requestId,
    model: usage.model === null ? null : cleanText(usage.model),
    input_tokens: toCount(usage.inputTokens, 2_147_483_647),
    output_tokens: toCount(usage.outputTokens, 2_147_483_647),
    cost_micros: toCount(usage.costMicros, Number.MAX_SAFE_INTEGER),
    latency_ms: toCount(usage.latencyMs, 2_147_483_647),
  };
}

/** A figure of a provider as its column takes it: an answer is never lost to an absurd count. */
function toCount(figure: number | null, most: number): number | null {
  if (figure === null || !Number.isFinite(figure)) return null;
  return Math.min(most, Math.max(0, Math.round(figure)));
}
