import { z } from "zod";
import { expect, test } from "vitest";
import { toInputCheck } from "./input-check.ts";

const lines = z.array(z.object({ sum: z.number() }));

test("a schema of a library gives its output, or the paths that are wrong and never a value", async () => {
  const check = toInputCheck(z.strictObject({ name: z.string().trim(), lines }));
  expect(await check({ name: " a ", lines: [] })).toEqual({ ok: true, input: { name: "a", lines: [] } });
  const wrong = await check({ name: 5, lines: [{ sum: 1 }, { sum: "planted" }], "planted key": 1 });
  expect(wrong).toEqual({ ok: false, invalidPaths: ["name", "lines.1.sum", "$"] });
});

test("a schema that checks later is awaited", async () => {
  const check = toInputCheck(z.object({ id: z.string().refine(async (id) => id === "7") }));
  expect(await check({ id: "7" })).toMatchObject({ ok: true });
  expect(await check({ id: "8" })).toEqual({ ok: false, invalidPaths: ["id"] });
});

test.each(["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", undefined])(
  "a JSON Schema of dialect %s checks without changing what it checks",
  async (dialect) => {
    const properties = {
      id: { type: "string", pattern: "^[0-9]+$" },
      lines: { type: "array", items: { type: "number" } },
    };
    const named = dialect === undefined ? {} : { $schema: dialect };
    const schema = { ...named, type: "object", properties, required: ["id"], additionalProperties: false } as const;
    const check = toInputCheck(schema);
    const args = { id: "7", lines: [1] };
    expect(await check(args)).toEqual({ ok: true, input: args });
    expect(await check({})).toEqual({ ok: false, invalidPaths: ["id"] });
    expect(await check({ id: "planted", lines: [1, "planted"] })).toEqual({
      ok: false,
      invalidPaths: ["id", "lines.1"],
    });
    expect(await check({ id: "7", planted: 1 })).toEqual({ ok: false, invalidPaths: ["$"] });
    expect(await check({ id: 7 })).toEqual({ ok: false, invalidPaths: ["id"] });
  },
);

test("two tools may share the $id of a schema, and a default is not filled in", async () => {
  const schema = { $id: "same", type: "object", properties: { page: { type: "number", default: 1 } } };
  const checks = [toInputCheck(schema), toInputCheck(schema)];
  for (const check of checks) expect(await check({})).toEqual({ ok: true, input: {} });
});
