import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { main } from "../../src/cli/main.ts";

const program = fileURLToPath(new URL("../../src/cli/countersign.ts", import.meta.url));

export interface Answered {
  readonly status: number;
  /** Both streams. */
  readonly text: string;
}

/** Nothing of this machine's own. */
const bare: Readonly<Record<string, string>> = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" };

export const home: string = mkdtempSync(path.join(tmpdir(), "countersign-cli-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the program as an operator does, in a folder of its own. */
export function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Answered> {
  const command = ["--conditions=countersign-source", program, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: home, env: { ...bare, ...environment } }, (error, out, err) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ status, text: `${out}${err}` });
    });
  });
}

/** With the variables and the folder that the program would have; what was there before comes back. */
async function within<T>(environment: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const before = { env: { ...process.env }, cwd: process.cwd() };
  const set = (variables: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  };
  set({ ...bare, ...environment });
  process.chdir(home);
  try {
    return await work();
  } finally {
    process.chdir(before.cwd);
    set(before.env);
  }
}

let written = 0;
/** A module of a host; answers its path. */
export function writeModule(text: string, name = `options-${(written += 1)}.ts`): string {
  const file = path.join(home, name);
  writeFileSync(file, text);
  return file;
}

export interface Looked {
  readonly status: number;
  readonly text: string;
  /** What was said of one thing: its state, and what else. */
  of(about: string): { readonly state: string; readonly found: string; readonly mend: string | null } | undefined;
}

/** Runs the doctor within this process, as the program does in its own, and reads what it found. */
export async function look(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Looked> {
  const { status, text } = await within(environment, () => main(["doctor", "--json", ...args]));
  const { findings } = JSON.parse(text) as {
    readonly findings: readonly { about: string; state: string; found: string; mend: string | null }[];
  };
  return { status, text, of: (about) => findings.find((one) => one.about === about) };
}
