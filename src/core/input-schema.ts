import { z } from "zod";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { copyJson, isJsonObject } from "./json-copy.ts";
import { isStandardSchema } from "./input-check.ts";
import type { AnyTool, JsonObject } from "./tool.ts";

/**
 * The JSON Schema a model reads for a tool's input: the one given beside the schema, the schema itself, or what its
 * library makes of it. Throws when there is none, with the mend.
 */
export function toInputJsonSchema(tool: Pick<AnyTool, "input" | "jsonSchema">): JsonObject {
  const made = tool.jsonSchema ?? (isStandardSchema(tool.input) ? fromLibrary(tool.input) : tool.input);
  const copy = copyJson(made, { depth: 64, size: 262_144 });
  if (!copy.ok) throw new Error(`its JSON Schema is no plain JSON at ${copy.paths.join(", ")}`);
  const schema = copy.value;
  if (!isJsonObject(schema) || schema["type"] !== "object") {
    throw new Error(`its JSON Schema has no "type": "object" at the top: a tool's input is an object`);
  }
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

const beside = "give the JSON Schema of the input as `jsonSchema` beside `input`";

function fromLibrary(schema: StandardSchemaV1): unknown {
  try {
    if (describesItself(schema)) return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
    if (isZod(schema)) return z.toJSONSchema(schema, { io: "input" });
  } catch (error) {
    throw new Error(`its schema cannot be turned into JSON Schema (${messageOf(error)}): ${beside}`, { cause: error });
  }
  throw new Error(`its schema (${schema["~standard"].vendor}) does not turn itself into JSON Schema: ${beside}`);
}

function describesItself(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  return "jsonSchema" in schema["~standard"];
}

function isZod(schema: StandardSchemaV1): schema is StandardSchemaV1 & z.ZodType {
  return schema["~standard"].vendor === "zod" && "_zod" in schema;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
