import { createCallCollector, type LooseCall } from "./collect-calls.ts";

type Loose = Readonly<Record<string, unknown>>;

/** Mends what servers send as Chat Completions until the provider's package takes all of it. */
export interface ChatRepair {
  /** The chunks that stand for one event's data. */
  push(data: string): readonly string[];
  /** Whether the answer has said why it ends. */
  finished(): boolean;
}

/** The error of an answer that was ended properly and held nothing at all. */
export const noChoices = "the answer has no choices";

/** The finish reason of a stream that was ended properly and gave none. */
export const doneWithoutReason = "done_without_reason";

/**
 * Makes a repair for one answer. The package loses a whole chunk for one odd field, so every field it checks is brought
 * into form; calls are collected over all chunks and sent on whole, right before the finish reason, since what is cut
 * off may not run. `offered` are the names of the request's tools: pieces of a name are joined only into one of them.
 */
export function createChatRepair(offered: ReadonlySet<string>): ChatRepair {
  const calls = createCallCollector(offered);
  let usage: Loose = {};
  let finished = false;
  let begun = false;

  const toChunk = (parsed: Loose): readonly Loose[] => {
    const failure = errorIn(parsed);
    if (failure !== null) {
      const figures = toUsage(parsed["usage"]);
      return [...(figures === null ? [] : [{ choices: [], usage: figures }]), { choices: [], error: failure }];
    }
    const head = {
      ...(typeof parsed["id"] === "string" && { id: parsed["id"] }),
      ...(typeof parsed["model"] === "string" && { model: parsed["model"] }),
    };
    const said = toUsage(parsed["usage"]);
    if (said !== null) usage = { ...usage, ...said };
    const choice = firstChoice(parsed["choices"]);
    const usageNow = said === null ? {} : { usage };
    if (choice === null) return said === null ? [] : [{ ...head, choices: [], ...usageNow }];
    begun = true;
    const sent = isLoose(choice["delta"]) ? choice["delta"] : isLoose(choice["message"]) ? choice["message"] : {};
    // a whole message says by place what a stream says by index
    const pieces = callsIn(sent);
    calls.push(sent === choice["message"] ? pieces.map((piece, index) => ({ ...piece, index })) : pieces);
    const reason = finishReason(choice["finish_reason"]);
    const chunks: Loose[] = [{ ...head, choices: [{ delta: toDelta(sent) }], ...usageNow }];
    if (reason !== null && !finished) chunks.push(...finish(reason));
    return chunks;
  };
  const finish = (reason: string): readonly Loose[] => {
    finished = true;
    const whole = calls.take();
    const delta = whole.length === 0 ? {} : { tool_calls: whole };
    return [{ choices: [{ delta, finish_reason: reason }] }];
  };
  return {
    push: (data) => {
      if (data.trim() === "[DONE]") {
        const last = finished
          ? []
          : begun
            ? finish(doneWithoutReason)
            : [{ choices: [], error: { message: noChoices } }];
        return [...last.map(toText), "[DONE]"];
      }
      const parsed = parse(data);
      // left to the package, which says that the line could not be read and goes on
      return parsed === null ? [data] : toChunk(parsed).map(toText);
    },
    finished: () => finished,
  };
}

function errorIn(parsed: Loose): Loose | null {
  const choice = firstChoice(parsed["choices"]);
  const found = parsed["error"] ?? choice?.["error"];
  if (found !== undefined && found !== null && found !== false) {
    return isLoose(found) ? { ...found, message: asText(found["message"] ?? found) } : { message: asText(found) };
  }
  const bare =
    parsed["choices"] === undefined && (parsed["detail"] !== undefined || typeof parsed["message"] === "string");
  const flat = parsed["object"] === "error" || bare;
  return flat ? { ...parsed, message: asText(parsed["message"] ?? parsed["detail"]) } : null;
}

function firstChoice(choices: unknown): Loose | null {
  const first: unknown = Array.isArray(choices) ? choices[0] : choices;
  return isLoose(first) ? first : null;
}

function finishReason(sent: unknown): string | null {
  return typeof sent === "string" && sent !== "" ? sent : null;
}

function callsIn(delta: Loose): readonly LooseCall[] {
  const list = delta["tool_calls"];
  if (Array.isArray(list)) return list.filter(isLoose);
  if (isLoose(list)) return [list];
  const legacy = delta["function_call"];
  return isLoose(legacy) ? [{ index: 0, function: legacy }] : [];
}

function toDelta(sent: Loose): Loose {
  const { content, refusal } = sent;
  const reasoning = [sent["reasoning_content"], sent["reasoning"]].find((one) => typeof one === "string" && one !== "");
  return {
    ...(typeof content === "string" || isPartList(content) ? { content } : {}),
    ...(typeof refusal === "string" && refusal !== "" && { refusal }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  };
}

function isPartList(content: unknown): boolean {
  return Array.isArray(content) && content.every((part) => isLoose(part) && typeof part["type"] === "string");
}

const tokenFields = ["prompt_tokens", "completion_tokens", "total_tokens"];
const tokenDetails = ["prompt_tokens_details", "completion_tokens_details"];

/** Digits in a string are a number; anything else that is none is left out, never 0. Null when nothing was said. */
function toUsage(sent: unknown): Loose | null {
  if (!isLoose(sent)) return null;
  const said: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(sent)) {
    const read = tokenFields.includes(key) ? toNumber(value) : tokenDetails.includes(key) ? toDetails(value) : value;
    if (read !== undefined && read !== null) said[key] = read;
  }
  return tokenFields.some((key) => said[key] !== undefined) || said["cost"] !== undefined ? said : null;
}

function toDetails(sent: unknown): Loose | undefined {
  if (!isLoose(sent)) return undefined;
  const read = Object.entries(sent).flatMap(([key, value]) => {
    const number = toNumber(value);
    return number === undefined ? [] : [[key, number] as const];
  });
  return Object.fromEntries(read);
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function parse(data: string): Loose | null {
  try {
    const value: unknown = JSON.parse(data);
    return isLoose(value) ? value : null;
  } catch {
    return null;
  }
}

function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function toText(chunk: Loose): string {
  return JSON.stringify(chunk);
}
