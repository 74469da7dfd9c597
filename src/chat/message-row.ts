import type { Message, MessageUsage, SentFile, ToolStatus } from "../wire/messages.ts";
import type { CardOutcome, NoticeCode } from "../wire/reasons.ts";

/** A row of `messages` with what crosses the wire: of calls only id and name, no arguments, no results. */
export interface MessageRow {
  readonly id: string;
  readonly seq: number;
  readonly role: "user" | "assistant" | "tool" | "notice";
  readonly text: string | null;
  readonly calls: readonly { readonly id: string; readonly name: string }[] | null;
  readonly tool_call_id: string | null;
  readonly tool_name: string | null;
  readonly tool_status: ToolStatus | null;
  readonly confirmation_id: string | null;
  readonly follows_id: string | null;
  readonly code: NoticeCode | null;
  readonly tool_outcome: CardOutcome | null;
  readonly finished: boolean | null;
  readonly model: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_micros: number | null;
  readonly latency_ms: number | null;
  readonly turn_id: string | null;
  readonly files: readonly SentFile[] | null;
  readonly created_at: Date;
}

const emptyRow = {
  text: null,
  calls: null,
  tool_call_id: null,
  tool_name: null,
  tool_status: null,
  confirmation_id: null,
  follows_id: null,
  code: null,
  tool_outcome: null,
  finished: null,
  model: null,
  input_tokens: null,
  output_tokens: null,
  cost_micros: null,
  latency_ms: null,
  turn_id: null,
  files: null,
} as const;

type Known = Pick<MessageRow, "id" | "seq" | "role" | "created_at"> & Partial<MessageRow>;

/** A row that was just stored, from what is known of it; the rest is null. */
export function toMessageRow(known: Known): MessageRow {
  return { ...emptyRow, ...known };
}

export interface WireContext {
  readonly conversationId: string;
  titleOf(tool: string): string | null;
}

/** A message as its owner's browser gets it. */
export function toWire(row: MessageRow, context: WireContext): Message {
  const base = {
    id: row.id,
    seq: row.seq,
    conversationId: context.conversationId,
    turnId: row.turn_id,
    createdAt: row.created_at.toISOString(),
  };
  const title = (tool: string): string => context.titleOf(tool) ?? tool;
  switch (row.role) {
    case "user":
      return { ...base, role: "user", text: row.text ?? "", files: row.files ?? [] };
    case "assistant":
      return {
        ...base,
        role: "assistant",
        text: row.text ?? "",
        calls: (row.calls ?? []).map(({ id, name }) => ({ id, name, title: title(name) })),
        usage: toUsage(row),
      };
    case "tool":
      return {
        ...base,
        role: "tool",
        callId: row.tool_call_id ?? "",
        tool: row.tool_name ?? "",
        title: title(row.tool_name ?? ""),
        status: row.tool_status ?? "error",
        confirmationId: row.confirmation_id,
        followsId: row.follows_id,
      };
    case "notice":
      return {
        ...base,
        role: "notice",
        code: row.code,
        confirmationId: row.confirmation_id,
        outcome: row.tool_outcome,
        tool: row.tool_name,
        title: row.tool_name === null ? null : title(row.tool_name),
        finished: row.finished,
      };
  }
}

function toUsage(row: MessageRow): MessageUsage | null {
  const usage = {
    model: row.model,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    costMicros: row.cost_micros,
    latencyMs: row.latency_ms,
  };
  return Object.values(usage).every((figure) => figure === null) ? null : usage;
}
