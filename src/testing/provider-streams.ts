import type { ProviderAnswer } from "./replay-server.ts";

export type Chunk = Readonly<Record<string, unknown>>;

const chunk = (delta: Chunk, more: Chunk = {}): Chunk => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
export const toSse = (chunks: readonly (Chunk | string)[]): readonly string[] =>
  chunks.map((one) => (typeof one === "string" ? one : `data: ${JSON.stringify(one)}\n\n`));
const done = "data: [DONE]\n\n";
const finish = (reason: string): Chunk => chunk({}, { finish_reason: reason });

/** A stream of Chat Completions: its chunks, then a finish and the end mark. */
const streamed = (
  id: string,
  chunks: readonly (Chunk | string)[],
  right: Pick<ProviderAnswer, "ends"> & Partial<ProviderAnswer>,
): ProviderAnswer => ({
  id,
  protocol: "openai-chat",
  http_status: 200,
  sse_chunks: toSse(chunks),
  end: "close",
  ...right,
});
const call = (piece: Chunk): Chunk => chunk({ tool_calls: [piece] });
const calls = finish("tool_calls");
export const find = ["invoices_find", '{"customer":"Acme"}'] as const;

/** Calls in streams of Chat Completions. */
export const callStreams: readonly ProviderAnswer[] = [
  streamed(
    "a name alone of white space",
    [call({ index: 0, id: "1", function: { name: " \n", arguments: "{}" } }), calls, done],
    { ends: "ok:empty" },
  ),
  streamed("a name that never comes", [call({ index: 0, id: "1", function: { arguments: "{}" } }), calls, done], {
    ends: "ok:empty",
  }),
  streamed(
    "a name that comes late, with null before and after",
    [
      call({ index: 0, id: "1", function: { name: null, arguments: '{"custo' } }),
      call({ index: 0, id: null, function: { name: "invoices_find", arguments: null } }),
      call({ index: 0, function: { name: null, arguments: 'mer":"Acme"}' } }),
      calls,
      done,
    ],
    { ends: "ok:calls", calls: [find] },
  ),
  streamed(
    "a name in two pieces",
    [
      call({ index: 0, id: "1", function: { name: "invoices_", arguments: "" } }),
      call({ index: 0, function: { name: "find", arguments: '{"customer":"Acme"}' } }),
      calls,
      done,
    ],
    { ends: "ok:calls", calls: [find] },
  ),
  streamed(
    "two calls at one index",
    [
      call({ index: 0, id: "1", function: { name: "invoices_find", arguments: '{"customer":"Acme"}' } }),
      call({ index: 0, id: "2", function: { name: "tasks_find", arguments: "{}" } }),
      calls,
      done,
    ],
    { ends: "ok:calls", calls: [find, ["tasks_find", "{}"]] },
  ),
  streamed(
    "two calls without index and id",
    [
      call({ function: { name: "invoices_find", arguments: '{"customer":"Acme"}' } }),
      call({ function: { name: "invoices_find", arguments: '{"customer":"Acme"}' } }),
      calls,
      done,
    ],
    { ends: "ok:calls", calls: [find, find] },
  ),
  streamed(
    "odd forms of every field",
    [
      { ...chunk({ role: "model", content: "" }), error: null },
      chunk({
        tool_calls: [{ index: "0", id: 7, function: { name: "invoices_find", arguments: { customer: "Acme" } } }],
      }),
      { ...calls, usage: { prompt_tokens: "12", completion_tokens: "5" } },
      done,
    ],
    { ends: "ok:calls", calls: [find] },
  ),
  streamed(
    "a prefix before an offered name",
    [call({ index: 0, id: "1", function: { name: "functions.tasks_find", arguments: "" } }), calls, done],
    { ends: "ok:calls", calls: [["tasks_find", "{}"]] },
  ),
  streamed(
    "calls wrapped in one",
    [
      call({
        index: 0,
        id: "1",
        function: {
          name: "multi_tool_use.parallel",
          arguments: JSON.stringify({
            tool_uses: [
              { recipient_name: "functions.invoices_find", parameters: { customer: "Acme" } },
              { recipient_name: "functions.tasks_find", parameters: {} },
            ],
          }),
        },
      }),
      calls,
      done,
    ],
    { ends: "ok:calls", calls: [find, ["tasks_find", "{}"]] },
  ),
  streamed(
    "calls under an ordinary finish",
    [call({ index: 0, id: "1", function: { name: "tasks_find", arguments: "{}" } }), finish("stop"), done],
    { ends: "ok:calls", calls: [["tasks_find", "{}"]] },
  ),
];

/** Text, ends and errors in streams of Chat Completions. */
export const textStreams: readonly ProviderAnswer[] = [
  streamed("silence kept open after the end", [chunk({ content: "Hello" }), finish("stop"), done], {
    ends: "ok:text",
    text: "Hello",
    end: "hang",
  }),
  streamed("text after the end", [chunk({ content: "Hello" }), finish("stop"), done, chunk({ content: " again" })], {
    ends: "ok:text",
    text: "Hello",
  }),
  streamed("an end without a reason", [chunk({ content: "Hello" }), done], { ends: "ok:text", text: "Hello" }),
  streamed("no end at all", [chunk({ content: "Hello" })], { ends: "stream_interrupted" }),
  streamed("a lost connection", [chunk({ content: "Hello" })], { ends: "stream_interrupted", end: "reset" }),
  streamed("silence in the middle", [chunk({ content: "Hello" })], { ends: "timeout", end: "hang" }),
  streamed(
    "a line that is no JSON",
    [chunk({ content: "Hel" }), "data: {oops\n\n", chunk({ content: "lo" }), finish("stop"), done],
    { ends: "ok:text", text: "Hello" },
  ),
  streamed(
    "comments, pings and chunks without choices",
    [": wait\n\n", { choices: [] }, { type: "ping" }, chunk({ content: "Hello" }), finish("stop"), done],
    { ends: "ok:text", text: "Hello" },
  ),
  streamed("no choices at all", [{ choices: [] }, done], { ends: "provider_error", requests: 2 }),
  streamed("words of a refusal", [chunk({ refusal: "I cannot." }), finish("stop"), done], { ends: "answer_refused" }),
  streamed("an error in mid-stream", [chunk({ content: "Hel" }), { error: { code: 502, message: "gone" } }, done], {
    ends: "provider_error",
  }),
  streamed(
    "an error on the choice",
    [chunk({}, { error: { code: 429, message: "slow down" }, finish_reason: "error" }), done],
    { ends: "rate_limited", requests: 3 },
  ),
];
