import { expect, test } from "vitest";
import type { Endpoint, OfferedTool, Prompt } from "./model.ts";
import { estimateInputTokens, largestCost } from "./reserve.ts";

const tool: OfferedTool = { name: "find", description: "Finds invoices.", inputSchema: { type: "object" } };
const prompt: Prompt = {
  system: "You help.",
  messages: [
    { role: "user", text: "Какие счета просрочены? ".repeat(20) },
    { role: "assistant", text: "", calls: [{ id: "abcdefgh1", name: "find", arguments: { status: "overdue" } }] },
    { role: "results", results: [{ callId: "abcdefgh1", name: "find", text: '{"number":"INV-1042"}'.repeat(50) }] },
  ],
};
const endpoint: Endpoint = { name: "one", provider: "openai", model: "m", price: { input: 2, output: 10 } };

test("a prompt is counted high: a token for every two bytes of all that is sent", () => {
  const sent = JSON.stringify([prompt, tool]);
  expect(estimateInputTokens({ prompt, tools: [tool] })).toBeGreaterThan(Buffer.byteLength(sent) / 3);
  const picture = { mediaType: "image/png", bytes: new Uint8Array(100_000) };
  const seen = { system: "", messages: [{ role: "user" as const, text: "", pictures: [picture, picture] }] };
  expect(estimateInputTokens({ prompt: seen, tools: [] })).toBeGreaterThan(5_000);
});

test("the largest cost is the prompt's and a full answer's", () => {
  const request = { prompt, tools: [tool] };
  const input = estimateInputTokens(request);
  expect(largestCost({ ...endpoint, maxOutputTokens: 1_000 }, request)).toBe(input * 2 + 10_000);
  expect(largestCost(endpoint, request)).toBe(input * 2 + 40_960);
  const { price: _price, ...unpriced } = endpoint;
  expect(largestCost(unpriced, request)).toBeNull();
});

test("a prompt never costs more than the endpoint's context takes", () => {
  const long = { prompt: { ...prompt, system: "word ".repeat(10_000) }, tools: [] };
  expect(largestCost({ ...endpoint, contextTokens: 8_000, maxOutputTokens: 1_000 }, long)).toBe(8_000 * 2 + 10_000);
  expect(largestCost({ ...endpoint, contextTokens: 1_000_000, maxOutputTokens: 1_000 }, long)).toBeGreaterThan(50_000);
});

test("thinking that comes on top is reserved too", () => {
  const request = { prompt, tools: [] };
  const plain = largestCost({ ...endpoint, provider: "anthropic" }, request) ?? 0;
  expect(largestCost({ ...endpoint, provider: "anthropic", reasoning: "none" }, request)).toBe(plain);
  expect(largestCost({ ...endpoint, provider: "anthropic", reasoning: "high" }, request)).toBe(plain + 76_800 * 10);
});
