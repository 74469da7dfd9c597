import type { StandardSchemaV1 } from "@standard-schema/spec";
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { mostPaths, printPath } from "./json-copy.ts";
import type { InputSchema, JsonObject } from "./tool.ts";

/** What a schema says of arguments: the input a handler takes, or the paths that are wrong and never the values. */
export type InputVerdict =
  | { readonly ok: true; readonly input: never }
  | { readonly ok: false; readonly invalidPaths: readonly string[] };

export type InputCheck = (args: JsonObject) => InputVerdict | Promise<InputVerdict>;

/** Whether a schema checks by itself (Zod, Valibot, ArkType …); else it is JSON Schema. */
export function isStandardSchema(schema: InputSchema): schema is StandardSchemaV1 {
  return "~standard" in schema;
}

/** Makes the check of a schema. Throws when a JSON Schema cannot be compiled. */
export function toInputCheck(schema: InputSchema): InputCheck {
  return isStandardSchema(schema) ? checkByItself(schema) : checkByJsonSchema(schema);
}

function checkByItself(schema: StandardSchemaV1): InputCheck {
  return async (args) => {
    const result = await schema["~standard"].validate(args);
    // The schema is what says that a value is what its handler takes.
    if (result.issues === undefined) return { ok: true, input: result.value as never };
    return refusedPaths(result.issues.map((issue) => printPath((issue.path ?? []).map(toKey))));
  };
}

function toKey(segment: PropertyKey | StandardSchemaV1.PathSegment): PropertyKey {
  return typeof segment === "object" ? segment.key : segment;
}

function refusedPaths(paths: readonly string[]): InputVerdict {
  return { ok: false, invalidPaths: [...new Set(paths)].slice(0, mostPaths) };
}

// Without `loadSchema` a reference to another document fails to compile: nothing is ever fetched.
const ajvOptions: Options = { strict: false, validateFormats: false, allErrors: true, logger: false };

function checkByJsonSchema(schema: JsonObject): InputCheck {
  const check = compile(schema);
  return (args) => {
    // The schema is what says that a value is what its handler takes.
    if (check(args)) return { ok: true, input: args as never };
    return refusedPaths((check.errors ?? []).map(toPath));
  };
}

function compile(schema: JsonObject): ValidateFunction {
  const dialect = schema["$schema"];
  const isDraft07 = typeof dialect === "string" && dialect.includes("draft-07");
  // One compiler a schema: two tools may use the same $id.
  const ajv = isDraft07 ? new Ajv(ajvOptions) : new Ajv2020(ajvOptions);
  return ajv.compile({ ...schema, $async: false });
}

function toPath(error: ErrorObject): string {
  const keys = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const missing: unknown = error.keyword === "required" ? error.params["missingProperty"] : undefined;
  return printPath(typeof missing === "string" ? [...keys, missing] : keys);
}
