import { isProviderName, toProviderName } from "./provider-name.ts";
import type { Module } from "./tool.ts";

/** Names what is wrong with a definition and how to mend it, or null. What a host passes is judged as unknown: not every host has a compiler. */
export const findMistake = { inModule, inTool };

type Loose<Shape> = { readonly [Key in keyof Shape]?: unknown };

function inModule(module: Loose<Module>): string | null {
  if (!isName(module.key)) return `its key is not ${nameRule}`;
  if (!isText(module.title, 200)) return "its title is missing: name it in a few words for people";
  if (!Array.isArray(module.tools)) return "its tools are no list: pass `tools: [readTool(…), writeTool(…)]`";
  if (typeof module.sessionWrites !== "boolean")
    return "`sessionWrites` is neither true nor false: make modules with `defineModule`";
  return null;
}

interface AnyDefinition {
  readonly kind: unknown;
  readonly name: unknown;
  readonly title: unknown;
  readonly description: unknown;
  readonly input: unknown;
  readonly jsonSchema: unknown;
  readonly permission: unknown;
  readonly scope: unknown;
  readonly rateLimit: unknown;
  readonly timeLimit: unknown;
  readonly run: unknown;
  readonly preview: unknown;
  readonly fingerprint: unknown;
}

function inTool(moduleKey: string, tool: Loose<AnyDefinition>): string | null {
  if (!isName(tool.name)) return `its name is not ${nameRule}`;
  const providerName = toProviderName(`${moduleKey}.${tool.name}`);
  if (!isProviderName(providerName)) {
    return `models would know it as ${providerName}, longer than the 64 characters providers take: shorten the tool's name or the module's key`;
  }
  if (tool.kind !== "read" && tool.kind !== "write")
    return "it is neither read nor write: make it with `readTool` or `writeTool`";
  if (tool.title !== undefined && !isText(tool.title, 200))
    return "its title is blank or over 200 characters: leave it out or shorten it";
  if (!isText(tool.description, 10_000))
    return "its description is missing: say to the model what it does and when to use it";
  if (!isText(tool.permission, 200))
    return "its permission is missing: name the one the user must have, as your `session.can` knows it";
  if (tool.scope !== undefined && !isText(tool.scope, 200)) return "its scope is blank: leave it out or name one";
  if (typeof tool.run !== "function") return "it has no `run`: give the function that does it";
  if (!isSchema(tool.input))
    return "its input is no schema: give a Standard Schema (Zod, Valibot, ArkType) or a JSON Schema";
  return inLimits(tool) ?? inDryRun(tool);
}

function inLimits(tool: Loose<AnyDefinition>): string | null {
  const { rateLimit, timeLimit } = tool;
  if (timeLimit !== undefined && !isWhole(timeLimit, 600_000)) {
    return "its timeLimit is not in milliseconds from 1 to 600,000: mend it or leave it out";
  }
  if (rateLimit === undefined) return null;
  const isLimit =
    typeof rateLimit === "object" &&
    rateLimit !== null &&
    "limit" in rateLimit &&
    "perSeconds" in rateLimit &&
    isWhole(rateLimit.limit, 1_000_000) &&
    isWhole(rateLimit.perSeconds, 86_400);
  return isLimit
    ? null
    : "its rateLimit is not { limit, perSeconds } with whole numbers from 1 (perSeconds up to 86,400)";
}

function inDryRun(tool: Loose<AnyDefinition>): string | null {
  if (tool.kind === "read") {
    return tool.preview === undefined
      ? null
      : "a read with a `preview`: a tool that changes something is made with `writeTool`";
  }
  if (typeof tool.preview !== "function") {
    return "a write without a `preview`: give the dry run that says what would change and writes nothing";
  }
  if (tool.fingerprint !== undefined && typeof tool.fingerprint !== "function") {
    return "its fingerprint is no function: give one that names the facts of a preview that count, or leave it out";
  }
  return null;
}

const nameRule = "lower-case letters and digits, beginning with a letter, its words joined by one underscore each";

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(value);
}

function isText(value: unknown, most: number): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= most;
}

function isWhole(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}

function isSchema(value: unknown): boolean {
  // ArkType's schemas are functions.
  return (
    (typeof value === "object" && value !== null && !Array.isArray(value)) ||
    (typeof value === "function" && "~standard" in value)
  );
}
