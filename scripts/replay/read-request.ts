import type { ReplayCase } from "../../src/testing/replay-server.ts";

type Loose = Readonly<Record<string, unknown>>;

/** The last question of a request, and how many results of calls stand after it. */
export interface AskedOf {
  readonly question: string;
  readonly results: number;
}

/** Reads a request of any of the four protocols. */
export function readRequest(body: unknown, protocol: ReplayCase["protocol"]): AskedOf {
  const {
    messages = [],
    input = [],
    contents = [],
  } = (isLoose(body) ? body : {}) as Readonly<Record<string, unknown[]>>;
  const list = { "openai-chat": messages, "openai-responses": input, anthropic: messages, google: contents }[protocol];
  let found: AskedOf = { question: "", results: 0 };
  for (const item of list.filter(isLoose)) {
    if (isResult(item)) found = { ...found, results: found.results + 1 };
    else if (item["role"] === "user") found = { question: textsOf(item).join(" "), results: 0 };
  }
  return found;
}

function isResult(item: Loose): boolean {
  return (
    item["role"] === "tool" ||
    item["type"] === "function_call_output" ||
    partsOf(item).some((part) => part["type"] === "tool_result" || part["functionResponse"] !== undefined)
  );
}

export function partsOf(item: Loose): readonly Loose[] {
  const parts = item["content"] ?? item["parts"];
  return Array.isArray(parts) ? parts.filter(isLoose) : [];
}

export function textsOf(item: Loose): readonly string[] {
  if (typeof item["content"] === "string") return [item["content"]];
  return partsOf(item).flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : []));
}

export function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
