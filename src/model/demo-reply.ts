import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { findDemoIntent, type DemoIntent } from "./demo-intents.ts";
import { answerFromResults, readRows } from "./demo-results.ts";
import { demoSentences, type DemoLanguage } from "./demo-sentences.ts";

/** A tool as the request offers it. */
export interface DemoTool {
  readonly name: string;
  readonly description: string;
  /** The keys its input takes. */
  readonly keys: readonly string[];
}

export interface DemoReply {
  readonly text: string;
  readonly call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } | null;
}

/** What the stand-in says or asks for next. */
export function decideDemoReply(prompt: LanguageModelV4Prompt, tools: readonly DemoTool[]): DemoReply {
  const question = lastQuestion(prompt);
  const language: DemoLanguage = /[а-яё]/i.test(question) ? "ru" : "en";
  const say = demoSentences[language];
  const direct = namedTool(question, tools);
  if (direct !== null && prompt.at(-1)?.role === "user") return { text: "", call: direct };
  const intent = findDemoIntent(question);
  const last = prompt.at(-1);
  if (last?.role === "tool") {
    const results = last.content.flatMap((part) => (part.type === "tool-result" ? [textOf(part.output)] : []));
    const next = intent === null ? null : followUp(intent, results, tools);
    return { text: next === null ? answerFromResults(results, language) : "", call: next };
  }
  const first = !prompt.some((message) => message.role === "assistant");
  if (intent === null) return { text: `${say.standIn}\n\n${say.help(tools.map(titleOf))}`, call: null };
  if (intent.missing !== undefined) return { text: say.missing[intent.missing], call: null };
  const call = toCall(intent.lookup ?? intent, tools);
  if (call === null) return { text: say.noTool, call: null };
  return { text: first ? `${say.standInShort}\n\n` : "", call };
}

/** A write that named no invoice, once the look-up found exactly one. */
function followUp(intent: DemoIntent, results: readonly string[], tools: readonly DemoTool[]): DemoReply["call"] {
  if (intent.lookup === undefined || results.length !== 1) return null;
  const rows = readRows(results[0] ?? "");
  const number = rows?.length === 1 ? rows[0]?.["number"] : undefined;
  if (typeof number !== "string") return null;
  return toCall({ tool: intent.tool, arguments: { ...intent.arguments, number } }, tools);
}

/** The offered tool of an intent, with only those arguments it takes. */
function toCall(
  intent: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
  tools: readonly DemoTool[],
): DemoReply["call"] {
  const tool = tools.find(({ name }) => name === intent.tool || name.endsWith(`_${intent.tool}`));
  if (tool === undefined) return null;
  const known = Object.entries(intent.arguments).filter(
    ([key, value]) => value !== undefined && tool.keys.includes(key),
  );
  return { name: tool.name, arguments: Object.fromEntries(known) };
}

/** `billing.invoices_find {"status":"paid"}`: any tool of any host, asked for by its name. */
function namedTool(question: string, tools: readonly DemoTool[]): DemoReply["call"] {
  const [, asked, json = "{}"] = /^\s*([a-z][\w.]+)\s*(\{.*\})?\s*$/is.exec(question) ?? [];
  const tool = tools.find(({ name }) => name === asked || name.replace("__", ".") === asked);
  if (tool === undefined) return null;
  try {
    const read: unknown = JSON.parse(json);
    return { name: tool.name, arguments: read as Record<string, unknown> };
  } catch {
    return null;
  }
}

function lastQuestion(prompt: LanguageModelV4Prompt): string {
  const message = prompt.findLast(({ role }) => role === "user");
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

function textOf(output: { readonly type: string; readonly value?: unknown }): string {
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value ?? "");
}

function titleOf(tool: DemoTool): string {
  const sentence = tool.description.split(/(?<=[.!?])\s/)[0] ?? "";
  return sentence === "" ? `\`${tool.name}\`` : sentence;
}
