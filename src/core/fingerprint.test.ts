import { expect, test } from "vitest";
import { z } from "zod";
import { writeTool } from "./define-tool.ts";
import { readFacts, toComparable, toFingerprint } from "./fingerprint.ts";
import type { ReadPreview } from "./read-preview.ts";
import type { Json } from "./tool.ts";

const preview: ReadPreview = {
  shown: { title: "Rename", changes: [{ label: "Title", before: "a", after: "b" }], warnings: [] },
  data: { version: 3 },
  version: undefined,
};
const compared = { tool: "notes.rename", argsHash: "h", input: null, preview, facts: undefined };
const base = toFingerprint(compared);

test("by default a fingerprint covers the call, all that was shown and the data", () => {
  const { shown } = preview;
  const changed: readonly Partial<typeof compared>[] = [
    { tool: "notes.other" },
    { argsHash: "i" },
    { input: toComparable({ page: 1 }) as null },
    { preview: { ...preview, data: { version: 4 } } },
    { preview: { ...preview, data: undefined } },
    { preview: { ...preview, shown: { ...shown, title: "Other" } } },
    { preview: { ...preview, shown: { ...shown, warnings: ["Careful"] } } },
    { preview: { ...preview, shown: { ...shown, changes: [{ label: "Title", before: "c", after: "b" }] } } },
  ];
  const all = [base, ...changed.map((change) => toFingerprint({ ...compared, ...change }))];
  expect(new Set(all).size).toBe(all.length);
  expect(toFingerprint({ ...compared, preview: structuredClone(preview) })).toBe(base);
});

test("a version or declared facts take the place of what was shown, and nothing else", () => {
  const versioned = (version: string, title: string): string =>
    toFingerprint({ ...compared, preview: { ...preview, version, shown: { ...preview.shown, title } } });
  expect(versioned("e1", "at 10:00")).toBe(versioned("e1", "at 10:01"));
  expect(versioned("e1", "a")).not.toBe(versioned("e2", "a"));
  const byFacts = (facts: Json, argsHash = "h"): string => toFingerprint({ ...compared, argsHash, facts });
  expect(byFacts({ a: 1, b: 2 })).toBe(byFacts({ b: 2, a: 1 }));
  expect(byFacts({ a: 1 })).not.toBe(byFacts({ a: 2 }));
  expect(byFacts({ a: 1 })).not.toBe(byFacts({ a: 1 }, "i"));
  expect(new Set([base, versioned("e1", "a"), byFacts("e1")]).size).toBe(3);
});

const common = { name: "rename", description: "Renames.", permission: "p", input: z.object({}), run: () => null };
const namesFacts = (facts: () => unknown) =>
  writeTool({ ...common, preview: () => ({ title: "", changes: [] }), fingerprint: () => facts() as Json });

test("a tool that names no facts has none, and one that does is given its preview", () => {
  expect(readFacts(writeTool({ ...common, preview: () => ({ title: "", changes: [] }) }), preview)).toBeUndefined();
  const tool = writeTool({
    ...common,
    preview: () => ({ title: "", changes: [], data: { version: 3 } }),
    fingerprint: ({ data, title }) => ({ version: data?.version ?? null, title }),
  });
  expect(readFacts(tool, preview)).toEqual({ version: 3, title: "Rename" });
  expect(
    readFacts(
      namesFacts(() => ({ paidAt: null })),
      preview,
    ),
  ).toEqual({ paidAt: null });
});

test.each<[string, () => unknown]>([
  ["undefined", () => undefined],
  ["null", () => null],
  ["blank", () => ""],
  ["no facts", () => ({})],
  ["an empty list", () => []],
  ["a fact that is undefined", () => ({ version: undefined })],
  ["no number", () => Number.NaN],
  ["a promise", async () => ({ version: 1 })],
  ["a throw", () => expect.fail("no version")],
])("facts that are missing (%s) throw, and never read as unchanged", (_what, facts) => {
  expect(() => readFacts(namesFacts(facts), preview)).toThrow(/facts|no version/);
});

test("two different inputs never compare as equal, whatever types a schema makes", () => {
  const inputs = [
    null,
    undefined,
    0,
    -0,
    Number.NaN,
    "0",
    0n,
    false,
    [],
    {},
    { a: undefined },
    { a: null },
    { date: "2026-01-01T00:00:00.000Z" },
    new Date("2026-01-01T00:00:00.000Z"),
    new Date("2026-01-02T00:00:00.000Z"),
    new Map([["a", 1]]),
    new Map([["a", 2]]),
    new Set([1]),
    new Uint8Array([1]),
    new Uint8Array([2]),
    new URL("https://example.com/a"),
    "\ud800",
    "\ud801",
  ];
  const hashes = inputs.map((input) => toFingerprint({ ...compared, input: toComparable(input) }));
  expect(new Set(hashes).size).toBe(inputs.length);
  const ordered = toFingerprint({ ...compared, input: toComparable({ a: 1, b: [new Date(0)] }) });
  expect(toFingerprint({ ...compared, input: toComparable({ b: [new Date(0)], a: 1 }) })).toBe(ordered);
});

test("an input that cannot be compared throws", () => {
  const circle: { self?: object } = {};
  circle.self = circle;
  for (const input of [() => 1, Symbol("a"), circle]) expect(() => toComparable(input)).toThrow(/compare/);
});
