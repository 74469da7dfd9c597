import type { ReplayCase } from "../../src/testing/replay-server.ts";
import { isLoose, partsOf, textsOf } from "./read-request.ts";

type Loose = Readonly<Record<string, unknown>>;

/** What is wrong with a request by its provider's own rules, the strictest known server's of each protocol; null when nothing is. */
export function checkRequest(body: unknown, protocol: ReplayCase["protocol"]): string | null {
  if (!isLoose(body)) return "the request is no JSON object";
  return checks[protocol](body) ?? checkTools(body);
}

const checks: Readonly<Record<ReplayCase["protocol"], (body: Loose) => string | null>> = {
  "openai-chat": checkChat,
  "openai-responses": checkResponses,
  anthropic: checkAnthropic,
  google: checkGoogle,
};

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

function checkTools(body: Loose): string | null {
  const names = listOf(body, "tools").flatMap((tool) => {
    const inner = isLoose(tool["function"]) ? [tool["function"]] : [tool];
    const declared = Array.isArray(tool["functionDeclarations"]) ? tool["functionDeclarations"].filter(isLoose) : inner;
    return declared.map((one) => one["name"]);
  });
  const bad = names.find((name) => !isName(name));
  if (bad !== undefined) return `a tool is named ${JSON.stringify(bad)}`;
  return new Set(names).size === names.length ? null : "two tools bear one name";
}

function checkChat(body: Loose): string | null {
  const messages = listOf(body, "messages");
  const seen = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const { role } = message;
    if (role === "tool") {
      const expected = open.shift();
      if (message["tool_call_id"] !== expected) return "a result stands where no call of its id does";
      if (isBlankText(message)) return "a result is blank";
      continue;
    }
    if (open.length > 0) return "a call has no result";
    if (role === "system") {
      if (index > 0) return "a system message stands in the middle";
      continue;
    }
    if (role !== "user" && role !== "assistant") return `a message has the role ${String(role)}`;
    const calls = Array.isArray(message["tool_calls"]) ? message["tool_calls"].filter(isLoose) : [];
    if (calls.length === 0 && isBlankText(message)) return `a message of the ${role} is blank`;
    for (const call of calls) {
      const problem = checkCall(call["id"], call["function"], seen);
      if (problem !== null) return problem;
    }
    open = calls.map((call) => String(call["id"]));
  }
  return open.length > 0 ? "the last call has no result" : endsRight(messages.at(-1)?.["role"]);
}

function checkCall(id: unknown, called: unknown, seen: Set<string>): string | null {
  if (typeof id !== "string" || !/^[a-zA-Z0-9]{9}$/.test(id)) return `a call has the id ${String(id)}`;
  if (seen.has(id)) return "two calls bear one id";
  seen.add(id);
  if (!isLoose(called) || !isName(called["name"])) return "a call has no name a provider takes";
  return typeof called["arguments"] === "string" && isObjectText(called["arguments"])
    ? null
    : "a call's arguments are no object";
}

function checkResponses(body: Loose): string | null {
  const items = listOf(body, "input");
  const seen = new Set<string>();
  const open = new Set<string>();
  for (const item of items) {
    if (item["type"] === "function_call") {
      const problem = checkCall(item["call_id"], item, seen);
      if (problem !== null) return problem;
      open.add(String(item["call_id"]));
    } else if (item["type"] === "function_call_output") {
      if (!open.delete(String(item["call_id"]))) return "a result stands where no call of its id does";
      if (String(item["output"]).trim() === "") return "a result is blank";
    } else if (item["type"] !== "reasoning") {
      if (open.size > 0) return "a call has no result";
      if (isBlankText(item)) return "a message is blank";
    }
  }
  return open.size > 0 ? "the last call has no result" : null;
}

function checkAnthropic(body: Loose): string | null {
  const messages = listOf(body, "messages");
  if (messages[0]?.["role"] !== "user") return "the first message is not the user's";
  const seen = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message["role"] === messages[index - 1]?.["role"]) return "two messages of one role stand together";
    const parts = partsOf(message);
    if (parts.length === 0 && isBlankText(message)) return "a message is empty";
    if (
      parts.some((part) => part["type"] === "text" && textsOf({ content: [part] }).every((text) => text.trim() === ""))
    )
      return "a text block is blank";
    const results = parts.filter((part) => part["type"] === "tool_result").map((part) => String(part["tool_use_id"]));
    if (results.join() !== open.join()) return "calls and results do not match";
    if (results.length > 0 && parts[0]?.["type"] !== "tool_result") return "a result does not stand first";
    const uses = parts.filter((part) => part["type"] === "tool_use");
    for (const use of uses) {
      if (!/^[a-zA-Z0-9_-]+$/.test(String(use["id"])) || seen.has(String(use["id"]))) return "a call's id is wrong";
      seen.add(String(use["id"]));
      if (!isName(use["name"])) return "a call has no name a provider takes";
      if (!isLoose(use["input"])) return "a call's arguments are no object";
    }
    open = uses.map((use) => String(use["id"]));
  }
  return open.length > 0 ? "the last call has no result" : endsRight(messages.at(-1)?.["role"]);
}

function checkGoogle(body: Loose): string | null {
  const contents = listOf(body, "contents");
  if (contents[0]?.["role"] !== "user") return "the first content is not the user's";
  let open: string[] = [];
  for (const content of contents) {
    const parts = partsOf(content);
    if (parts.length === 0) return "a content has no parts";
    if (parts.some((part) => typeof part["text"] === "string" && part["text"].trim() === "")) return "a part is blank";
    const answered = parts.flatMap(({ functionResponse: one }) => (isLoose(one) ? [String(one["name"])] : []));
    if (answered.join() !== open.join()) return "calls and results do not match";
    const called = parts.flatMap(({ functionCall: one }) => (isLoose(one) ? [one] : []));
    if (called.some((one) => !isName(one["name"]) || !isLoose(one["args"]))) return "a call is not in form";
    open = called.map((one) => String(one["name"]));
  }
  return open.length > 0 ? "the last call has no result" : endsRight(contents.at(-1)?.["role"]);
}

function endsRight(role: unknown): string | null {
  return role === "assistant" || role === "model" ? "the request ends with an answer" : null;
}

function isBlankText(item: Loose): boolean {
  const pictures = partsOf(item).some((part) => part["type"] === "image_url" || part["type"] === "input_image");
  return !pictures && textsOf(item).every((text) => text.trim() === "");
}

function isName(name: unknown): boolean {
  return typeof name === "string" && namePattern.test(name);
}

function isObjectText(text: string): boolean {
  try {
    return isLoose(JSON.parse(text));
  } catch {
    return false;
  }
}

function listOf(body: Loose, key: string): readonly Loose[] {
  const list = body[key];
  return Array.isArray(list) ? list.filter(isLoose) : [];
}
