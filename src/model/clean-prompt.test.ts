import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanPrompt } from "./clean-prompt.ts";
import type { Prompt, PromptMessage } from "./model.ts";

const call = (id: string, name = "find"): { id: string; name: string; arguments: Record<string, unknown> } => ({
  id,
  name,
  arguments: { customer: "Acme" },
});

test("a prompt in order comes back as it is", () => {
  const prompt: Prompt = {
    system: "You help.",
    messages: [
      { role: "user", text: "Which?" },
      { role: "assistant", text: "", calls: [call("abcdefgh1"), call("abcdefgh2")] },
      {
        role: "results",
        results: [
          { callId: "abcdefgh1", name: "find", text: "one" },
          { callId: "abcdefgh2", name: "find", text: "two" },
        ],
      },
      { role: "assistant", text: "Two.", calls: [] },
    ],
  };
  expect(cleanPrompt(prompt)).toEqual(prompt);
});

test("a call without a result gets one that says so", () => {
  const { messages } = cleanPrompt({
    system: "",
    messages: [
      { role: "user", text: "Which?" },
      { role: "assistant", text: "", calls: [call("abcdefgh1")] },
      { role: "user", text: "And now?" },
    ],
  });
  expect(messages[2]).toEqual({
    role: "results",
    results: [{ callId: "abcdefgh1", name: "find", text: "(no result)" }],
  });
  expect(messages[3]).toEqual({ role: "user", text: "And now?" });
});

test("results stand in the order of their calls, and those of no call are gone", () => {
  const { messages } = cleanPrompt({
    system: "",
    messages: [
      { role: "results", results: [{ callId: "zzzzzzzz9", name: "find", text: "of nobody" }] },
      { role: "assistant", text: "", calls: [call("abcdefgh1"), call("abcdefgh2")] },
      {
        role: "results",
        results: [
          { callId: "zzzzzzzz9", name: "find", text: "of nobody" },
          { callId: "abcdefgh2", name: "find", text: "two" },
          { callId: "abcdefgh1", name: "find", text: "one" },
        ],
      },
    ],
  });
  expect(
    messages.map((message) => (message.role === "results" ? message.results.map(({ text }) => text) : null)),
  ).toEqual([null, ["one", "two"]]);
});

test("whatever a history holds, every provider's rules are kept", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("", " \n", "\u200b", "a\0b", "\ud800"));
  const id = fc.oneof(fc.constantFrom("abcdefgh1", "abcdefgh2", "", "call_1", "toolu_01ABC"), fc.string());
  const message: fc.Arbitrary<PromptMessage> = fc.oneof(
    fc.record({ role: fc.constant("user" as const), text }),
    fc.record({
      role: fc.constant("assistant" as const),
      text,
      calls: fc.array(
        fc.record({
          id,
          name: text,
          arguments: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()) as fc.Arbitrary<
            Record<string, unknown>
          >,
        }),
        { maxLength: 3 },
      ),
    }),
    fc.record({
      role: fc.constant("results" as const),
      results: fc.array(fc.record({ callId: id, name: text, text }), { maxLength: 3 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
      const clean = cleanPrompt({ system: "", messages });
      const ids: string[] = [];
      clean.messages.forEach((one, index) => {
        if (one.role === "user") expect(one.text.trim()).not.toBe("");
        if (one.role !== "assistant") return;
        if (one.calls.length === 0) {
          expect(one.text.trim()).not.toBe("");
          return;
        }
        const next = clean.messages[index + 1];
        const results = next?.role === "results" ? next.results.map(({ callId }) => callId) : [];
        expect(results).toEqual(one.calls.map((each) => each.id));
        for (const each of one.calls) {
          expect(each.id).toMatch(/^[a-zA-Z0-9]{9}$/);
          expect(each.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
          expect(Object.prototype.toString.call(each.arguments)).toBe("[object Object]");
          ids.push(each.id);
        }
      });
      expect(new Set(ids).size).toBe(ids.length);
      expect(JSON.stringify(clean)).not.toMatch(/\\u0000|\\ud[89ab]../i);
    }),
    { numRuns: 300 },
  );
});
