import { expect, test } from "vitest";
import { createHearing } from "./hear-answer.ts";
import { toProviderPrompt } from "./to-provider-prompt.ts";

test("what a provider wants back beside a call goes back with it", () => {
  const heard = createHearing({ onText: () => {}, now: () => 0 }, new Set(["find"]));
  heard.hear({ type: "reasoning-start", id: "r" });
  heard.hear({ type: "reasoning-delta", id: "r", delta: "Let me see." });
  heard.hear({ type: "reasoning-end", id: "r", providerMetadata: { anthropic: { signature: "s1" } } });
  heard.hear({
    type: "tool-call",
    toolCallId: "toolu_1",
    toolName: "find",
    input: '{"customer":"Acme"}',
    providerMetadata: { google: { thoughtSignature: "s2" } },
  });
  heard.hear({
    type: "finish",
    finishReason: { unified: "tool-calls", raw: "tool_use" },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  });
  const [call] = heard.end().calls;
  if (call === undefined) throw new Error("a call was heard");
  const stored = JSON.parse(JSON.stringify(call)) as typeof call;
  const prompt = toProviderPrompt({
    system: "You help.",
    messages: [
      { role: "user", text: "Which?" },
      {
        role: "assistant",
        text: "",
        calls: [
          { id: stored.id, name: "find", arguments: { customer: "Acme" }, providerMetadata: stored.providerMetadata },
        ],
      },
      { role: "results", results: [{ callId: stored.id, name: "find", text: "none" }] },
    ],
  });
  expect(prompt[2]).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Let me see.", providerOptions: { anthropic: { signature: "s1" } } },
      {
        type: "tool-call",
        toolCallId: stored.id,
        toolName: "find",
        input: { customer: "Acme" },
        providerOptions: { google: { thoughtSignature: "s2" } },
      },
    ],
  });
});

test("one system message stands first, and nothing blank is sent", () => {
  const prompt = toProviderPrompt({
    system: " ",
    messages: [
      { role: "user", text: "Look", pictures: [{ mediaType: "image/png", bytes: new Uint8Array([1]) }] },
      { role: "assistant", text: "\u200b", calls: [] },
      { role: "user", text: "Now?" },
    ],
  });
  expect(prompt.map(({ role }) => role)).toEqual(["user", "user"]);
  expect(prompt[0]?.content).toMatchObject([
    { type: "text", text: "Look" },
    { type: "file", mediaType: "image/png" },
  ]);
});
