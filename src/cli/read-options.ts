import path from "node:path";
import { pathToFileURL } from "node:url";
import type { AssistantOptions } from "../assistant.ts";
import { startError } from "../database/start-error.ts";
import { modelsFromEnvironment } from "../model/endpoint-from-environment.ts";

/** Of a node's options what can be looked at before it runs. */
export type LookedAt = Partial<AssistantOptions> & Pick<AssistantOptions, "database" | "models">;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A node's options: those that the module exports as `assistantOptions` or by default, a value or a function that makes
 * one; what it leaves out, and everything without a module, from DATABASE_URL, COUNTERSIGN_SCHEMA, COUNTERSIGN_FILES and
 * the models' variables. Throws a start error where no database is named.
 */
export async function readOptions(config: string | undefined, environment: Environment): Promise<LookedAt> {
  const given = config === undefined ? {} : await load(config);
  const database = given.database ?? environment["DATABASE_URL"];
  if (database === undefined || database === "") {
    throw startError(
      "no database is named: set DATABASE_URL, or name the module that exports the assistant's options with --config.",
    );
  }
  const { COUNTERSIGN_SCHEMA: schema, COUNTERSIGN_FILES: folder } = environment;
  return {
    ...(schema && { schema }),
    ...(folder && { files: { folder } }),
    ...given,
    database,
    models: given.models ?? modelsFromEnvironment(environment),
  };
}

async function load(config: string): Promise<Partial<AssistantOptions>> {
  const file = path.resolve(config);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const said = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw startError(`${config} cannot be loaded (${said}): correct the path, or what the module does.`, error);
  }
  const made: unknown = module["assistantOptions"] ?? module["default"];
  const options: unknown = typeof made === "function" ? await (made as () => unknown)() : made;
  if (typeof options !== "object" || options === null) {
    throw startError(
      `${config} exports no options: export what createAssistant gets, or a function that answers it, as \`assistantOptions\` or by default.`,
    );
  }
  return options;
}
