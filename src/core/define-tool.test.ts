import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { expect, expectTypeOf, test } from "vitest";
import { defineModule, readTool, writeTool } from "./define-tool.ts";
import type { AnyTool, JsonObject } from "./tool.ts";

interface Amount {
  readonly cents: number;
}
const amount: StandardSchemaV1<{ readonly cents: string }, Amount> = {
  "~standard": { version: 1, vendor: "by hand", validate: () => ({ value: { cents: 1 } }) },
};
const common = { description: "Finds.", permission: "billing.read" } as const;

const find = readTool({
  ...common,
  name: "find",
  input: z.object({ customer: z.string(), page: z.coerce.number().default(1) }),
  run(ctx, input) {
    expectTypeOf(input).toEqualTypeOf<{ customer: string; page: number }>();
    expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
    return [];
  },
});
const pay = readTool({
  ...common,
  name: "pay",
  input: amount,
  run(_ctx, input) {
    expectTypeOf(input).toEqualTypeOf<Amount>();
    return input.cents;
  },
});
const search = readTool({
  ...common,
  name: "search",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
  run(_ctx, input) {
    expectTypeOf(input).toEqualTypeOf<JsonObject>();
    return input["q"];
  },
});
const rename = writeTool({
  ...common,
  name: "rename",
  input: z.object({ id: z.string(), title: z.string() }),
  async preview(_ctx, input) {
    expectTypeOf(input).toEqualTypeOf<{ id: string; title: string }>();
    return { title: "Rename", changes: [{ label: "Title", before: "a", after: input.title }], data: { version: 3 } };
  },
  async run(ctx, input) {
    expectTypeOf(ctx.preview.data).toEqualTypeOf<{ version: number } | undefined>();
    expectTypeOf(ctx.idempotencyKey).toEqualTypeOf<string>();
    return input.id;
  },
  fingerprint: (preview) => {
    expectTypeOf(preview.data).toEqualTypeOf<{ version: number } | undefined>();
    return preview.data?.version;
  },
});

test("tools of different inputs go into one module as they are", () => {
  const tools: readonly AnyTool[] = [find, pay, search, rename];
  const billing = defineModule({ key: "billing", title: "Billing", tools: [find, pay, search, rename] });
  expect(billing.tools).toEqual(tools);
  expect(billing.sessionWrites).toBe(false);
  expect(tools.map((tool) => tool.kind)).toEqual(["read", "read", "read", "write"]);
});

test("a definition that cannot work does not compile", () => {
  const input = z.object({ id: z.string() });
  const dated = { title: "", changes: [], data: { at: new Date() } };
  // @ts-expect-error a write has a preview
  writeTool({ ...common, name: "a", input, run: () => null });
  // @ts-expect-error a date is no JSON: the handler would get it back as text
  writeTool({ ...common, name: "b", input, preview: () => dated, run: () => 1 });
  // @ts-expect-error the handler asks for what the schema does not give
  readTool({ ...common, name: "c", input, run: (_ctx, given: { id: number }) => given.id });
  // @ts-expect-error a tool names its permission
  const unnamed = readTool({ name: "d", description: "Finds.", input, run: () => null });
  expect(unnamed.permission).toBeUndefined();
});
