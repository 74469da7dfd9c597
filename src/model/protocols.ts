import { createChatRepair } from "./repair-chat.ts";
import type { StreamEvent } from "./server-sent-events.ts";
import { deltasOf, ofItems } from "./whole-answer.ts";

/** How a provider's stream is spoken. */
export type Protocol = "openai" | "anthropic" | "google" | "openai-compatible";

/** Looks over one answer's events: mends them, and knows where the answer ends. */
export interface Overseer {
  /** What the provider's package gets for one event. */
  push(event: StreamEvent): readonly StreamEvent[];
  /** What the provider's package still lacks when the stream ends here. */
  end(): readonly StreamEvent[];
  /** `ended`: nothing after this counts. `finished`: the answer is whole, only figures may follow. */
  state(): "open" | "finished" | "ended";
}

export function createOverseer(protocol: Protocol, offered: ReadonlySet<string>): Overseer {
  switch (protocol) {
    case "openai-compatible":
      return overseeChat(offered);
    case "anthropic":
      return overseeAnthropic();
    case "openai":
      return overseeResponses();
    case "google":
      return overseeGoogle();
  }
}

function overseeChat(offered: ReadonlySet<string>): Overseer {
  const repair = createChatRepair(offered);
  let ended = false;
  return {
    push: ({ data }) => {
      ended ||= data.trim() === "[DONE]";
      return repair.push(data).map((text) => ({ event: null, data: text }));
    },
    end: () => [],
    state: () => (ended ? "ended" : repair.finished() ? "finished" : "open"),
  };
}

/** An unknown event is an error to the package, and as the first one a bare exception. */
const anthropicEvents = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
]);

function overseeAnthropic(): Overseer {
  let state: ReturnType<Overseer["state"]> = "open";
  const begun = new Set<unknown>();
  const stopped = new Set<unknown>();
  return {
    push: (event) => {
      const parsed = parse(event.data);
      const type = parsed?.["type"];
      if (parsed === null) return [event];
      if (typeof type !== "string") return [toEvent({ type: "error", error: toError(parsed) })];
      if (!anthropicEvents.has(type)) return [];
      const index = parsed["index"];
      if (type === "content_block_start") begun.add(index);
      // a block that never began has no place to end at
      if ((type === "content_block_stop" || type === "content_block_delta") && !begun.has(index)) return [];
      if (type === "content_block_stop") stopped.add(index);
      if (type === "message_stop" || type === "error") state = "ended";
      if (type !== "message_delta") return [event];
      const delta = parsed["delta"];
      if (isLoose(delta) && typeof delta["stop_reason"] === "string") state = "finished";
      // an answer that was cut leaves its last block open, and the package would keep a call in it to itself
      const open = [...begun].filter((one) => !stopped.has(one));
      for (const one of open) stopped.add(one);
      return [...open.map((one) => toEvent({ type: "content_block_stop", index: one })), event];
    },
    // the answer has said why it ends: all that is missing is the mark
    end: () => (state === "finished" ? [toEvent({ type: "message_stop" })] : []),
    state: () => state,
  };
}

/** What a gateway writes into the stream in words of its own. */
function toError(parsed: Readonly<Record<string, unknown>>): unknown {
  if (isLoose(parsed["error"])) return { type: "api_error", ...parsed["error"] };
  return { type: parsed["__type"] ?? "api_error", message: JSON.stringify(parsed["message"] ?? parsed) };
}

function toEvent(value: Readonly<Record<string, unknown>>): StreamEvent {
  return { event: null, data: JSON.stringify(value) };
}

function overseeResponses(): Overseer {
  let state: ReturnType<Overseer["state"]> = "open";
  const spoken = new Set<unknown>();
  let items = 0;
  return {
    push: (event) => {
      if (event.data.trim() === "[DONE]") return [];
      const parsed = parse(event.data);
      if (parsed === null) return [event];
      const { type, output_index: place } = parsed;
      switch (type) {
        case "response.completed":
        case "response.incomplete":
        case "response.failed": {
          state = "ended";
          // an answer in one piece at the end of a stream without any other
          const missed = items === 0 && isLoose(parsed["response"]) ? ofItems(parsed["response"]) : [];
          return [...missed.map(toEvent), event];
        }
        case "error":
          state = "finished";
          return [event];
        case "response.output_text.delta":
        case "response.refusal.delta":
          spoken.add(place);
          return [event];
        case "response.output_item.added":
          items += 1;
          return [toEvent({ ...parsed, item: mendItem(parsed) })];
        case "response.output_item.done": {
          const item = mendItem(parsed);
          const missed = isLoose(item) && !spoken.has(place) ? deltasOf(item, Number(place)) : [];
          return [...missed.map(toEvent), toEvent({ ...parsed, item })];
        }
        default:
          return [event];
      }
    },
    end: () => [],
    state: () => state,
  };
}

/** Gateways that translate leave out what the package insists on; without it the whole call is lost. */
function mendItem({ type, item, output_index: place }: Readonly<Record<string, unknown>>): unknown {
  if (!isLoose(item) || item["type"] !== "function_call") return item;
  const done = type === "response.output_item.done";
  return {
    ...item,
    id: item["id"] ?? `item_${String(place)}`,
    name: item["name"] ?? "",
    arguments:
      typeof item["arguments"] === "object" && item["arguments"] !== null
        ? JSON.stringify(item["arguments"])
        : (item["arguments"] ?? ""),
    status: item["status"] ?? (done ? "completed" : "in_progress"),
  };
}

function overseeGoogle(): Overseer {
  let finished = false;
  return {
    push: (event) => {
      const parsed = parse(event.data);
      const candidates = parsed?.["candidates"];
      const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
      if (isLoose(first) && typeof first["finishReason"] === "string") finished = true;
      const feedback = parsed?.["promptFeedback"];
      if (first === undefined && isLoose(feedback) && feedback["blockReason"] !== undefined) {
        finished = true;
        // a prompt that was blocked has no candidate to say so
        return [
          { event: null, data: JSON.stringify({ ...parsed, candidates: [{ finishReason: "PROHIBITED_CONTENT" }] }) },
        ];
      }
      return [event];
    },
    end: () => [],
    state: () => (finished ? "finished" : "open"),
  };
}

function parse(data: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(data);
    return isLoose(value) ? value : null;
  } catch {
    return null;
  }
}

function isLoose(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
