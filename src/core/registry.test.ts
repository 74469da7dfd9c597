import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { describe, expect, test } from "vitest";
import { defineModule, readTool, writeTool } from "./define-tool.ts";
import { isProviderName, toProviderName, toRegistryName } from "./provider-name.ts";
import { createRegistry } from "./registry.ts";
import type { Module } from "./tool.ts";

const input = z.object({ id: z.string() });
const definition = { name: "find", description: "Finds.", permission: "notes.read", input, run: () => null };
const dryRun = { ...definition, preview: () => ({ title: "", changes: [] }) };
const opaque: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "by hand", validate: (value) => ({ value }) },
};

// As a host without a compiler would write it.
const loose = (more: object, make: (given: never) => Module["tools"][number] = readTool): Module =>
  defineModule({ key: "notes", title: "Notes", tools: [make({ ...dryRun, ...more } as never)] });
const read = (more: object): Module => loose({ preview: undefined, ...more });
const write = (more: object): Module => loose(more, writeTool);
const start =
  (...modules: readonly Module[]): (() => unknown) =>
  () =>
    createRegistry(modules);

describe("a definition that cannot work throws at start with the tool's name and the mend", () => {
  test.each<[string, Module, RegExp]>([
    ["a write without a preview", write({ preview: undefined }), /"notes\.find": a write without a `preview`: give/],
    ["a read with a preview", read({ preview: () => null }), /made with `writeTool`/],
    ["a tool without run", read({ run: undefined }), /has no `run`: give/],
    [
      "a tool made by hand",
      defineModule({ key: "notes", title: "N", tools: [{ ...definition } as never] }),
      /readTool/,
    ],
    ["a name in capitals", read({ name: "Find" }), /"notes\.Find": its name is not lower-case/],
    ["a name that could not be turned back", read({ name: "find__all" }), /one underscore each/],
    ["a name that ends in an underscore", read({ name: "find_" }), /one underscore each/],
    ["a name with a dot", read({ name: "a.b" }), /its name is not/],
    ["a name too long for providers", read({ name: "x".repeat(60) }), /64 characters providers take: shorten/],
    ["a blank title", read({ title: " " }), /its title is blank/],
    ["no description", read({ description: undefined }), /its description is missing: say/],
    ["no permission", read({ permission: "" }), /its permission is missing: name/],
    ["a permission that is no text", read({ permission: ["a"] }), /its permission is missing/],
    ["a blank scope", read({ scope: "" }), /its scope is blank/],
    ["a time limit of none", read({ timeLimit: 0 }), /timeLimit is not in milliseconds/],
    ["a rate limit of none", read({ rateLimit: { limit: 0, perSeconds: 60 } }), /rateLimit is not/],
    ["a fingerprint that is no function", write({ fingerprint: "etag" }), /its fingerprint is no function/],
    ["no input", read({ input: undefined }), /its input is no schema: give/],
    [
      "a schema that has no JSON",
      read({ input: z.object({ at: z.date() }) }),
      /JSON Schema \(.+\): give the JSON Schema/,
    ],
    ["a schema that makes no JSON Schema", read({ input: opaque }), /\(by hand\) does not turn itself .+ `jsonSchema`/],
    ["an input that is no object", read({ input: z.string() }), /no "type": "object" at the top/],
    [
      "a JSON Schema that is none",
      read({ input: { type: "object", required: 1 } }),
      /"notes\.find": .*schema is invalid/,
    ],
    [
      "a remote reference",
      read({ input: { type: "object", $ref: "https://example.com/a" } }),
      /can't resolve reference/,
    ],
  ])("%s", (_what, module, message) => {
    expect(start(module)).toThrow(message);
    expect(start(module)).toThrow(/^countersign: tool "notes\./);
  });

  test("two tools of one name, two modules of one key, a module's key and title", () => {
    const twice = defineModule({ key: "notes", title: "Notes", tools: [readTool(definition), writeTool(dryRun)] });
    expect(start(twice)).toThrow('tool "notes.find": two tools of the module have this name');
    expect(start(read({}), read({}))).toThrow('module "notes": two modules have this key');
    expect(start(defineModule({ key: "No", title: "N", tools: [] }))).toThrow('module "No": its key is not');
    expect(start(defineModule({ key: "no", title: "", tools: [] }))).toThrow("its title is missing");
    expect(start(defineModule({ key: "no", title: "N", tools: null as never }))).toThrow("its tools are no list");
  });
});

test("tools stand in the order of their names, whatever the order of the modules", () => {
  const billing = defineModule({ key: "billing", title: "Billing", tools: [readTool(definition)] });
  const a = createRegistry([read({ name: "z" }), billing]);
  expect([...a.keys()]).toEqual(["billing.find", "notes.z"]);
  expect([...createRegistry([billing, read({ name: "z" })]).keys()]).toEqual([...a.keys()]);
});

test("a tool's title defaults to its name in words", () => {
  const registry = createRegistry([read({ name: "find_all_of" }), loose({ title: "Void it" }, writeTool)].slice(0, 1));
  expect(registry.get("notes.find_all_of")?.title).toBe("Find all of");
});

test("a name goes to a provider and back", () => {
  for (const name of ["billing.invoice_void", "a.b", "a_b.c_d", "x1.y2"]) {
    expect(toRegistryName(toProviderName(name))).toBe(name);
    expect(isProviderName(toProviderName(name))).toBe(true);
  }
  expect(toProviderName("billing.invoice_void")).toBe("billing__invoice_void");
  for (const none of ["", "billing", "__a", "billing_void"]) expect(toRegistryName(none)).toBeNull();
});

test("the model reads the input of a schema, not its output", () => {
  const schema = z.object({ page: z.coerce.number().default(1), day: z.string().transform((text) => new Date(text)) });
  const registered = createRegistry([read({ input: schema })]).get("notes.find");
  expect(registered?.inputSchema).toMatchObject({ type: "object", required: ["day"] });
  expect(registered?.inputSchema).not.toHaveProperty("$schema");
});

test("a schema that makes no JSON Schema is read as the one beside it, and still checks by itself", async () => {
  const beside = { type: "object", properties: { id: { type: "string" } } };
  const registered = createRegistry([read({ input: opaque, jsonSchema: beside })]).get("notes.find");
  expect(registered?.inputSchema).toEqual(beside);
  expect(await registered?.checkInput({ id: 7 })).toEqual({ ok: true, input: { id: 7 } });
});
