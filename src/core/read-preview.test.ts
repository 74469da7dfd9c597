import fc from "fast-check";
import { expect, test } from "vitest";
import { readPreview } from "./read-preview.ts";

const change = { label: "Title", before: null, after: "b" };
const good = { title: "Rename", changes: [change] };
const most = 65_536;

test("a dry run's answer is read as what a card shows and what the handler gets, and shares nothing with it", () => {
  const answer = { ...good, warnings: ["Careful"], data: { version: 3, list: [1] }, fingerprint: "e1", extra: 1 };
  const read = readPreview(answer, most);
  answer.data.list.push(2);
  expect(read).toEqual({
    ok: true,
    preview: {
      shown: { title: "Rename", changes: [change], warnings: ["Careful"] },
      data: { version: 3, list: [1] },
      version: "e1",
    },
  });
});

test("text that neither a database nor a browser takes is cleaned where it is shown", () => {
  const read = readPreview({ title: "a\0b", changes: [{ label: "\ud800", before: "x\0", after: "y\udc00" }] }, most);
  expect(read).toMatchObject({
    ok: true,
    preview: { shown: { title: "ab", changes: [{ label: "\ufffd", before: "x", after: "y\ufffd" }], warnings: [] } },
  });
});

test.each<[string, unknown]>([
  ["$", null],
  ["$", "text"],
  ["title", {}],
  ["title", { title: " ", changes: [] }],
  ["changes", { title: "a" }],
  ["changes.0", { title: "a", changes: [null] }],
  ["changes.1.label", { title: "a", changes: [change, { before: 1, after: 1 }] }],
  ["changes.0.before", { title: "a", changes: [{ label: "a", after: 1 }] }],
  ["changes.0.after", { title: "a", changes: [{ label: "a", before: 1, after: new Date() }] }],
  ["changes.0.after", { title: "a", changes: [{ label: "a", before: 1, after: Number.NaN }] }],
  ["warnings", { ...good, warnings: "careful" }],
  ["warnings", { ...good, warnings: [1] }],
  ["fingerprint", { ...good, fingerprint: "" }],
  ["fingerprint", { ...good, fingerprint: 7 }],
  ["data", { ...good, data: () => 1 }],
  ["data", { ...good, data: { at: new Date() } }],
  ["data", { ...good, data: { a: undefined, b: 1n } }],
  ["data", { ...good, data: { text: "\0" } }],
  ["data", { ...good, data: JSON.parse('{"__proto__":1}') as unknown }],
  ["size", { title: "x".repeat(most), changes: [] }],
  ["data", { ...good, data: "x".repeat(most + 1) }],
])("an answer that is wrong at %s is none", (at, answer) => {
  expect(readPreview(answer, most)).toEqual({ ok: false, at });
});

test("whatever a dry run answers, what is read is plain JSON within its bytes", () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, maxDepth: 3 });
  const loose = fc.record(
    {
      title: fc.oneof(fc.string({ unit: "binary" }), anything),
      changes: fc.oneof(fc.array(fc.record({ label: fc.string(), before: anything, after: fc.string() })), anything),
      warnings: fc.oneof(fc.array(fc.string()), anything),
      data: anything,
    },
    { requiredKeys: ["title", "changes"] },
  );
  fc.assert(
    fc.property(fc.oneof(loose, anything), (answer) => {
      const read = readPreview(answer, 500);
      if (!read.ok) return;
      const text = JSON.stringify(read.preview);
      expect(text.length).toBeLessThanOrEqual(500);
      expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/);
    }),
    { numRuns: 400 },
  );
});
