import type { AnyTool, InputSchema, Json, Module, ReadTool, WriteTool } from "./tool.ts";

/**
 * Declares a tool that runs at once, with the rights of the session it is called for. What `run` gets is what `input`
 * gives; `ctx.signal` fires when its time is over.
 */
export function readTool<Schema extends InputSchema>(definition: Omit<ReadTool<Schema>, "kind">): ReadTool<Schema> {
  return { ...definition, kind: "read" };
}

/**
 * Declares a tool that never runs on a model's call: `preview` says what would change, its user confirms, and only then
 * `run` is called, once. Write `input`, `preview` and `run` in this order: the types of `input` and of the preview's
 * `data` then reach `run` by themselves.
 */
export function writeTool<Schema extends InputSchema, Data extends Json = Json>(
  definition: Omit<WriteTool<Schema, Data>, "kind">,
): WriteTool<Schema, Data> {
  return { ...definition, kind: "write" };
}

/**
 * Declares a named group of tools. `sessionWrites` (default false) is the box "assistant may write here" as long as no
 * admin has set it. A definition that cannot work is told when the assistant is created, with the tool's name.
 */
export function defineModule(definition: {
  readonly key: string;
  readonly title: string;
  readonly tools: readonly AnyTool[];
  readonly sessionWrites?: boolean;
}): Module {
  return { ...definition, sessionWrites: definition.sessionWrites ?? false };
}
