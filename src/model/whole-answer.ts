import type { Protocol } from "./protocols.ts";

type Loose = Readonly<Record<string, unknown>>;

/**
 * The events a whole JSON body stands for, when a server answers in one piece although a stream was asked for; null when
 * the body is no answer of this protocol.
 */
export function toEvents(body: unknown, protocol: Protocol): readonly Loose[] | null {
  const answer = isLoose(body) ? body : Array.isArray(body) && isLoose(body[0]) ? body[0] : null;
  if (answer === null) return null;
  switch (protocol) {
    case "openai-compatible":
      return answer["choices"] === undefined ? null : [answer];
    case "google":
      if (Array.isArray(body)) return body.filter(isLoose);
      return answer["candidates"] === undefined && answer["promptFeedback"] === undefined ? null : [answer];
    case "anthropic":
      return answer["type"] === "message" ? ofMessage(answer) : null;
    case "openai":
      return answer["object"] === "response" && Array.isArray(answer["output"]) ? ofResponse(answer) : null;
  }
}

function ofMessage(message: Loose): readonly Loose[] {
  const content = Array.isArray(message["content"]) ? message["content"].filter(isLoose) : [];
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    ...content.flatMap((block, index) => ofBlock(block, index)),
    {
      type: "message_delta",
      delta: {
        stop_reason: message["stop_reason"] ?? null,
        stop_sequence: message["stop_sequence"] ?? null,
        ...(message["stop_details"] !== undefined && { stop_details: message["stop_details"] }),
      },
      usage: message["usage"] ?? { output_tokens: 0 },
    },
    { type: "message_stop" },
  ];
}

function ofBlock(block: Loose, index: number): readonly Loose[] {
  const delta = (value: Loose): Loose => ({ type: "content_block_delta", index, delta: value });
  const around = (start: Loose, deltas: readonly Loose[]): readonly Loose[] => [
    { type: "content_block_start", index, content_block: start },
    ...deltas,
    { type: "content_block_stop", index },
  ];
  switch (block["type"]) {
    case "text":
      return around({ type: "text", text: "" }, [delta({ type: "text_delta", text: block["text"] })]);
    case "thinking":
      return around({ type: "thinking", thinking: "" }, [
        delta({ type: "thinking_delta", thinking: block["thinking"] }),
        delta({ type: "signature_delta", signature: block["signature"] ?? "" }),
      ]);
    case "tool_use":
    case "server_tool_use":
      return around({ ...block, input: {} }, [
        delta({ type: "input_json_delta", partial_json: JSON.stringify(block["input"] ?? {}) }),
      ]);
    default:
      return around(block, []);
  }
}

function ofResponse(response: Loose): readonly Loose[] {
  const end =
    response["status"] === "incomplete" ? "incomplete" : response["status"] === "failed" ? "failed" : "completed";
  const events: readonly Loose[] = [
    { type: "response.created", response: { ...response, output: [] } },
    ...ofItems(response),
    { type: `response.${end}`, response },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

/** The events of all items a response holds. */
export function ofItems(response: Loose): readonly Loose[] {
  const output: readonly unknown[] = Array.isArray(response["output"]) ? response["output"] : [];
  return output.filter(isLoose).flatMap((item, index) => ofItem(item, index));
}

/** What a message says, as the deltas that would have said it; none for any other item. */
export function deltasOf(item: Loose, index: number): readonly Loose[] {
  if (item["type"] !== "message" || !Array.isArray(item["content"])) return [];
  const at = { item_id: item["id"], output_index: index };
  return item["content"].filter(isLoose).flatMap((part, place): Loose[] => {
    const { text, refusal } = part;
    if (typeof text === "string") {
      return [{ type: "response.output_text.delta", ...at, content_index: place, delta: text, logprobs: null }];
    }
    if (typeof refusal !== "string") return [];
    return [{ type: "response.refusal.delta", ...at, content_index: place, delta: refusal }];
  });
}

function ofItem(item: Loose, index: number): readonly Loose[] {
  const whole = { ...item, id: typeof item["id"] === "string" ? item["id"] : `item_${index}` };
  const begun =
    item["type"] === "message"
      ? { ...whole, content: [] }
      : item["type"] === "function_call"
        ? { ...whole, arguments: "" }
        : whole;
  return [
    { type: "response.output_item.added", output_index: index, item: begun },
    ...deltasOf(whole, index),
    { type: "response.output_item.done", output_index: index, item: whole },
  ];
}

function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One JSON value, or one a line. Empty when the text is neither. */
export function readBodies(sent: string): readonly unknown[] {
  const text = sent.replace(/^\ufeff/, "");
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      return lines.map((line): unknown => JSON.parse(line));
    } catch {
      return [];
    }
  }
}

/** Whether a body says what went wrong, rather than being an answer of another protocol. */
export function isErrorBody(body: unknown): boolean {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  if (!isLoose(one)) return false;
  return (one["error"] ?? one["errors"] ?? one["detail"]) != null || typeof one["message"] === "string";
}

/** The status an error body names itself, when it came with status 200. */
export function readInnerStatus(body: unknown): number | null {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  if (!isLoose(one)) return null;
  const inner = isLoose(one["error"]) ? one["error"] : {};
  for (const candidate of [inner["code"], inner["status"], one["code"], one["status"]]) {
    const status = Number(typeof candidate === "number" || typeof candidate === "string" ? candidate : Number.NaN);
    if (status >= 400 && status <= 599) return status;
  }
  return null;
}
