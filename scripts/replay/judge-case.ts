import { isDeepStrictEqual } from "node:util";
import type { StoredMessage } from "../../src/chat/stored-message.ts";
import type { ReplayCase } from "../../src/testing/replay-server.ts";
import type { WatchedCall } from "./replay-node.ts";

/** A line of `quirks.jsonl`, as far as it is used here. */
export interface Quirk extends ReplayCase {
  readonly notice_code?: string | null;
  readonly retry?: string;
  readonly request_hint?: string;
  /** The text the turn ends with. */
  readonly answer?: string;
  /** The calls that run, as name and arguments text, and no others. */
  readonly ran?: readonly (readonly [name: string, argumentsText: string])[];
}

/** What a case's turn left behind. */
export interface Observed {
  /** How the turn ended; null when it did not in time. */
  readonly ended: string | null;
  /** The messages of the case's turn. */
  readonly messages: readonly StoredMessage[];
  readonly calls: readonly WatchedCall[];
  /** What is wrong with one of the requests that followed; null when nothing is. */
  readonly requestProblem: string | null;
}

/** One line of the output. */
export interface Judged {
  readonly id: string;
  readonly ended: string | null;
  readonly notice: string | null;
  readonly retry: string;
  readonly stored_calls: number;
  readonly shown_chars: number;
  readonly next_request_valid: boolean;
  readonly pass: boolean;
  readonly why: string;
}

/** Where the product rules otherwise than a case's `notice_code` asks: what it says instead, and why. */
const otherNotices: Readonly<Record<string, { readonly instead: readonly (string | null)[]; readonly why: string }>> = {
  loop_detected: {
    instead: ["round_limit"],
    why: "equal rounds go on to the round limit: there is no other rule for them",
  },
  tool_result_too_large: {
    instead: ["context_overflow"],
    why: "results are cut before they are stored; a prompt that is too long is one code",
  },
  tool_args_truncated: {
    instead: ["tool_args_invalid"],
    why: "broken arguments under an ordinary finish are told as broken",
  },
  unknown_tool: { instead: [null], why: "a wrapper around calls is opened, and the calls in it are of offered tools" },
  provider_error: { instead: [null], why: "a whole answer at status 200 is read as the answer it is" },
};

export function judgeCase(quirk: Quirk, observed: Observed): Judged {
  const { messages, calls } = observed;
  const wanted = quirk.notice_code ?? null;
  const words = noticesIn(messages, calls);
  const retry = retryOf(calls[0]);
  const shown = calls.reduce((sum, call) => sum + call.shownCharacters, 0);
  const forbidden = forbiddenIn(messages);
  const { reason: notice, why: ruled } = judgeNotice(wanted, words, quirk);
  const problems = [
    ...(observed.ended === null ? ["the turn did not end in time"] : []),
    ...(notice.ok ? [] : [`the notice is ${String(notice.said)}, not ${String(wanted)}`]),
    ...judgeRetry(quirk, { retry, shown, notice: notice.said }),
    ...judgeContent(quirk, messages),
    ...(forbidden === null ? [] : [forbidden]),
    ...(observed.requestProblem === null ? [] : [`a later request: ${observed.requestProblem}`]),
  ];
  return {
    id: quirk.id,
    ended: observed.ended,
    notice: notice.said,
    retry,
    stored_calls: messages.reduce((sum, message) => sum + message.calls.length, 0),
    shown_chars: shown,
    next_request_valid: observed.requestProblem === null,
    pass: problems.length === 0,
    why: problems.length > 0 ? problems.join("; ") : ruled,
  };
}

/** What a case asks to be said and run, where it says so. */
function judgeContent({ answer, ran }: Quirk, messages: readonly StoredMessage[]): readonly string[] {
  const said = messages.findLast(({ role }) => role === "assistant")?.text ?? null;
  const problems = answer === undefined || answer === said ? [] : [`the answer is ${JSON.stringify(said)}`];
  if (ran === undefined) return problems;
  const done = new Set(messages.filter(({ role, status }) => role === "tool" && status === "ok").map((m) => m.callId));
  const calls = messages
    .flatMap((message) => message.calls)
    .map((call) => [call.name.replace(/^.*\./, ""), call.arguments, done.has(call.id)]);
  return isDeepStrictEqual(
    calls,
    ran.map((one) => [...one, true]),
  )
    ? problems
    : [...problems, `what ran is ${JSON.stringify(calls)}`];
}

interface NoticeVerdict {
  readonly reason: { readonly ok: boolean; readonly said: string | null };
  readonly why: string;
}

function judgeNotice(wanted: string | null, words: ReadonlySet<string>, quirk: Quirk): NoticeVerdict {
  const first = [...words][0] ?? null;
  if (wanted === null) return { reason: { ok: first === null, said: first }, why: "" };
  if (words.has(wanted)) return { reason: { ok: true, said: wanted }, why: "" };
  const other = otherNotices[wanted];
  const allowed =
    other !== undefined &&
    (wanted !== "provider_error" || isWholeAnswer(quirk)) &&
    (wanted !== "unknown_tool" || JSON.stringify(quirk).includes("tool_uses"));
  const ok = allowed && other.instead.includes(first);
  return { reason: { ok, said: first }, why: ok ? `ruled otherwise: ${other.why}` : "" };
}

function isWholeAnswer({ body }: Quirk): boolean {
  return (
    typeof body === "object" &&
    body !== null &&
    "choices" in body &&
    Array.isArray(body.choices) &&
    body.choices.length > 0
  );
}

/** What the chat says of a turn, in the words the cases use: its notice, and what became of its calls. */
function noticesIn(messages: readonly StoredMessage[], calls: readonly WatchedCall[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const message of messages) {
    const result = message.result ?? "";
    if (message.role === "notice" && message.code !== null) words.add(message.code);
    if (message.role !== "tool") continue;
    if (message.status === "denied" && /no tool of this name/.test(result)) words.add("unknown_tool");
    else if (message.status === "denied" && /only the first/.test(result)) words.add("too_many_tool_calls");
    else if (message.status === "denied" && /cut off/.test(result)) words.add("tool_args_truncated");
    else if (message.status === "error") words.add("tool_args_invalid");
  }
  if (calls.some(({ answer }) => answer.ok && answer.droppedCalls > 0)) words.add("tool_call_dropped");
  const written = messages.some(
    ({ role, text, calls: asked }) => role === "assistant" && asked.length === 0 && isCallAsText(text ?? ""),
  );
  if (written) words.add("tool_call_as_text");
  return words;
}

function isCallAsText(text: string): boolean {
  return /<\/?(?:tool_call|function_call|invoke|tool_use)\b|<function=|"name"\s*:\s*"[^"]+"\s*,\s*"(?:arguments|parameters)"|<\|(?:tool_call|python_tag)/.test(
    text,
  );
}

function retryOf(first: WatchedCall | undefined): string {
  if (first === undefined) return "no";
  const [request, ...repeats] = first.requests;
  if (first.answer.ok && first.answer.end === "continue") return "continue";
  if (repeats.length === 0) return "no";
  if (!repeats.every((one) => isDeepStrictEqual(one, request))) return "changed_request_once";
  return repeats.length === 1 ? "same_request_once" : "backoff";
}

function judgeRetry(
  { retry: wanted = "no" }: Quirk,
  { retry, shown, notice }: { readonly retry: string; readonly shown: number; readonly notice: string | null },
): readonly string[] {
  const right = allowedRetries(wanted, { shown, notice });
  return right.includes(retry) ? [] : [`the retry is ${retry}, not ${wanted}`];
}

function allowedRetries(
  wanted: string,
  so: { readonly shown: number; readonly notice: string | null },
): readonly string[] {
  switch (wanted) {
    case "only_if_nothing_shown":
      return so.shown > 0 ? ["no"] : ["backoff"];
    case "by_inner_code":
      return so.shown > 0 ? ["no"] : ["no", "backoff"];
    case "backoff":
      return ["backoff", "same_request_once"];
    case "same_request_once":
      // an empty answer is told at once
      return so.notice === "empty_answer" ? ["no"] : ["same_request_once"];
    case "changed_request_once":
      // the turn takes refused pictures back to the composer, and its user sends again
      return so.notice?.startsWith("image_") || so.notice === "request_too_large"
        ? ["no", "changed_request_once"]
        : ["changed_request_once"];
    default:
      return [wanted];
  }
}

/** What must never be stored, whatever a provider answered; null when nothing of it was. */
function forbiddenIn(messages: readonly StoredMessage[]): string | null {
  const results = messages.filter(({ role }) => role === "tool").map(({ callId }) => callId);
  for (const { role, text, calls } of messages) {
    if (role !== "assistant") continue;
    if ((text ?? "").trim() === "" && calls.length === 0) return "an empty answer was stored";
    for (const { id, name, arguments: args } of calls) {
      if (name.trim() === "") return "a call without a name was stored";
      if (!/^[a-zA-Z0-9]{9}$/.test(id)) return "a call was stored under a provider's id";
      if (typeof args !== "string") return "a call was stored without arguments";
      if (results.filter((one) => one === id).length !== 1) return "a call has not exactly one result";
    }
  }
  const stored = JSON.stringify(messages);
  if (/\\u0000|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(stored)) return "text was stored that a database refuses";
  return messages.filter(({ role }) => role === "notice").length > 1 ? "a turn has two notices" : null;
}
