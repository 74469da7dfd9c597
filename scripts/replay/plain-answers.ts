import type { ReplayCase } from "../../src/testing/replay-server.ts";

type Protocol = ReplayCase["protocol"];

/** An ordinary answer in each protocol: a text, or one call of `get_weather`. */
export function plainAnswer(protocol: Protocol, asks: "text" | "call"): ReplayCase {
  return { id: `plain ${asks}`, protocol, http_status: 200, body: bodies[protocol](asks === "call") };
}

const city = { city: "Oslo" };
const text = "FOLLOWUP";

const bodies: Readonly<Record<Protocol, (call: boolean) => unknown>> = {
  "openai-chat": (call) => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      call
        ? {
            index: 0,
            message: {
              role: "assistant",
              content: null,
              tool_calls: [
                {
                  id: "call_before",
                  type: "function",
                  function: { name: "get_weather", arguments: JSON.stringify(city) },
                },
              ],
            },
            finish_reason: "tool_calls",
          }
        : { index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  "openai-responses": (call) => ({
    id: "r",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "m",
    output: [
      call
        ? {
            type: "function_call",
            id: "fc_1",
            call_id: "call_before",
            name: "get_weather",
            arguments: JSON.stringify(city),
            status: "completed",
          }
        : {
            type: "message",
            id: "msg_1",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }),
  anthropic: (call) => ({
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      call ? { type: "tool_use", id: "toolu_before", name: "get_weather", input: city } : { type: "text", text },
    ],
    stop_reason: call ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  google: (call) => ({
    candidates: [
      {
        content: { role: "model", parts: [call ? { functionCall: { name: "get_weather", args: city } } : { text }] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
};
