import { findMistake } from "./definition-mistake.ts";
import { type InputCheck, toInputCheck } from "./input-check.ts";
import { toInputJsonSchema } from "./input-schema.ts";
import { toProviderName } from "./provider-name.ts";
import type { AnyTool, JsonObject, Module } from "./tool.ts";

/** One tool as the executor knows it. */
export interface RegisteredTool {
  /** Registry name, `module.name`. */
  readonly name: string;
  readonly providerName: string;
  readonly title: string;
  readonly module: Module;
  readonly tool: AnyTool;
  readonly inputSchema: JsonObject;
  readonly checkInput: InputCheck;
}

/** Every tool by its registry name, in the order of the names. */
export type Registry = ReadonlyMap<string, RegisteredTool>;

/** Reads the modules of a host. Throws at the first definition that cannot work, with its name and the mend. */
export function createRegistry(modules: readonly Module[]): Registry {
  const tools: RegisteredTool[] = [];
  const keys = new Set<string>();
  for (const module of modules) {
    const inModule = `module ${JSON.stringify(module.key)}`;
    mend(inModule, findMistake.inModule(module));
    if (keys.has(module.key)) mend(inModule, "two modules have this key: give one of them another");
    keys.add(module.key);
    const names = new Set<string>();
    for (const tool of module.tools) {
      const inTool = `tool ${JSON.stringify(`${module.key}.${tool.name}`)}`;
      mend(inTool, findMistake.inTool(module.key, tool));
      if (names.has(tool.name)) mend(inTool, "two tools of the module have this name: give one of them another");
      names.add(tool.name);
      tools.push(register(module, tool));
    }
  }
  return new Map(tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => [tool.name, tool]));
}

function register(module: Module, tool: AnyTool): RegisteredTool {
  const name = `${module.key}.${tool.name}`;
  try {
    return {
      name,
      providerName: toProviderName(name),
      title: tool.title ?? toTitle(tool.name),
      module,
      tool,
      inputSchema: toInputJsonSchema(tool),
      checkInput: toInputCheck(tool.input),
    };
  } catch (error) {
    throw new Error(wrong(`tool ${JSON.stringify(name)}`, error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
}

function mend(named: string, mistake: string | null): void {
  if (mistake !== null) throw new Error(wrong(named, mistake));
}

function wrong(named: string, mistake: string): string {
  return `countersign: ${named}: ${mistake}`;
}

function toTitle(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
