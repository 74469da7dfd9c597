import { parseArgs } from "node:util";
import { toDatabaseOptions } from "../assistant.ts";
import { connectDatabase } from "../database/connect.ts";
import { migrate, readMigrationState } from "../database/migrate.ts";
import { isStartError, startError } from "../database/start-error.ts";
import { checkDatabase } from "./check-database.ts";
import { checkNode, checkPictures } from "./check-machine.ts";
import { checkModels } from "./check-models.ts";
import { checkOptions } from "./check-options.ts";
import { checkStorage } from "./check-storage.ts";
import { finding, toText, type Finding } from "./finding.ts";
import { readOptions, type LookedAt } from "./read-options.ts";

const usage = `countersign doctor   looks whether a node can run here, and says what to mend
countersign migrate  brings the schema to this version

  --config <file>    the module that exports the assistant's options; else the environment:
                     DATABASE_URL, COUNTERSIGN_SCHEMA, COUNTERSIGN_FILES, COUNTERSIGN_SECRET, the models' keys
  --env <file>       reads variables from a file first
  --call             doctor: makes one tiny call of each endpoint
  --check            migrate: changes nothing; exits with 1 when the schema is behind
  --json             prints JSON

Exits with 0 when all is well, with 1 when something is wrong, with 2 when it was asked wrongly.`;

/** What a command printed, and its exit status. */
export interface Ran {
  readonly status: 0 | 1 | 2;
  readonly text: string;
}

/** Runs one command with the arguments after the program's name. Throws nothing. */
export async function main(args: readonly string[]): Promise<Ran> {
  const asked = parse(args);
  if (asked === null) return { status: 2, text: usage };
  const { command, values } = asked;
  if (values.help === true) return { status: 0, text: usage };
  try {
    if (values.env !== undefined) readEnvironment(values.env);
    const options = await readOptions(values.config, process.env);
    if (command === "doctor") return await runDoctor(options, values);
    return await runMigrate(options, values);
  } catch (error) {
    const sentence = isStartError(error) ? error.startSentence : String(error);
    const text = values.json === true ? JSON.stringify({ ok: false, error: sentence }) : `countersign: ${sentence}`;
    return { status: 1, text };
  }
}

interface Flags {
  readonly config?: string;
  readonly env?: string;
  readonly call?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
  readonly help?: boolean;
}

function parse(args: readonly string[]): { readonly command: string; readonly values: Flags } | null {
  const flag = { type: "boolean" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: "string" },
        env: { type: "string" },
        call: flag,
        check: flag,
        json: flag,
        help: flag,
      },
    });
    const [command = "", ...more] = positionals;
    const known = ["doctor", "migrate"].includes(command) && more.length === 0;
    return known || values.help === true ? { command, values } : null;
  } catch {
    return null;
  }
}

function readEnvironment(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw startError(`${file} cannot be read: correct the path of --env.`, error);
  }
}

async function runDoctor(options: LookedAt, { call = false, json = false }: Flags): Promise<Ran> {
  const looked = await checkDatabase(options);
  const { database, migrated } = looked;
  try {
    const findings: readonly Finding[] = [
      checkNode(process.versions.node),
      ...checkOptions(options),
      ...looked.findings,
      ...(await guarded("endpoints", () => checkModels(options, { database: migrated ? database : null, call }))),
      ...(await guarded("files", async () => [await checkStorage(options)])),
      await checkPictures(),
    ];
    const wrong = findings.some(({ state }) => state === "wrong");
    const text = json ? JSON.stringify({ ok: !wrong, findings }, null, 2) : toText(findings);
    return { status: wrong ? 1 : 0, text };
  } finally {
    await database?.close();
  }
}

/** One look that fails for a reason nobody foresaw keeps the others. */
async function guarded(about: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const found = `could not be looked at (${error instanceof Error ? error.name : "unknown"})`;
    return [finding("wrong", about, { found, mend: "Correct the options of this part." })];
  }
}

async function runMigrate(options: LookedAt, { check = false, json = false }: Flags): Promise<Ran> {
  const { database: given, schema, bus } = options;
  const database = await connectDatabase({
    ...toDatabaseOptions({ database: given, schema, bus, logger: undefined }),
    poolSize: 1,
  });
  try {
    const before = await readMigrationState(database);
    const applied = check ? [] : await migrate(database);
    const missing = check ? before.missing : [];
    const told = { schema: database.schema, newest: before.newest, applied, missing };
    const status = missing.length === 0 ? 0 : 1;
    return { status, text: json ? JSON.stringify({ ok: status === 0, ...told }, null, 2) : toSentence(told) };
  } finally {
    await database.close();
  }
}

function toSentence(told: {
  readonly schema: string;
  readonly newest: string;
  readonly applied: readonly string[];
  readonly missing: readonly string[];
}): string {
  const { schema, newest, applied, missing } = told;
  if (missing.length > 0) return `The schema "${schema}" is behind: it lacks ${missing.join(", ")}.`;
  if (applied.length === 0) return `The schema "${schema}" is at ${newest} already; nothing was changed.`;
  return `The schema "${schema}" was brought to ${newest}: ${applied.join(", ")} applied.`;
}
