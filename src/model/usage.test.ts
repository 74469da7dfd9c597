import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { nothingKnown, readUsage } from "./usage.ts";

function usage(raw: LanguageModelV4Usage["raw"], cacheRead = 0): LanguageModelV4Usage {
  return {
    inputTokens: { total: 1_000, noCache: 1_000 - cacheRead, cacheRead, cacheWrite: 0 },
    outputTokens: { total: 100, text: 100, reasoning: 0 },
    ...(raw && { raw }),
  };
}

test("without raw figures nothing is known", () => {
  expect(readUsage(usage(undefined), { input: 1, output: 1 })).toEqual(nothingKnown);
  expect(readUsage(null, { input: 1, output: 1 })).toEqual(nothingKnown);
});

test("the price is a dollar figure per million tokens", () => {
  expect(readUsage(usage({}), { input: 3, output: 15 }).costMicros).toBe(1_000 * 3 + 100 * 15);
});

test("cached tokens cost their own price, or that of input", () => {
  expect(readUsage(usage({}, 400), { input: 3, cachedInput: 0.5, output: 15 }).costMicros).toBe(600 * 3 + 200 + 1_500);
  expect(readUsage(usage({}, 400), { input: 3, output: 15 }).costMicros).toBe(4_500);
});

test("writing to a cache costs a quarter more than reading as input", () => {
  const figures = usage({});
  const written = { ...figures, inputTokens: { ...figures.inputTokens, cacheWrite: 400 } };
  expect(readUsage(written, { input: 3, output: 15 }).costMicros).toBe(1_000 * 3 + 300 + 1_500);
});

test("without a price and a provider's figure the cost is unknown", () => {
  expect(readUsage(usage({}), undefined)).toMatchObject({ inputTokens: 1_000, costMicros: null });
});

test("a provider's figure of 0 is a price", () => {
  expect(readUsage(usage({ cost: 0 }), { input: 3, output: 15 }).costMicros).toBe(0);
});

test("with the host's own key at a router the figure beside it counts", () => {
  const raw = { cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 0.000_325 } };
  expect(readUsage(usage(raw), undefined).costMicros).toBe(325);
});

test.each([
  ["a text", "0.1"],
  ["negative", -1],
  ["null", null],
])("a figure that is %s is none", (_what, cost) => {
  expect(readUsage(usage({ cost }), undefined).costMicros).toBeNull();
});
