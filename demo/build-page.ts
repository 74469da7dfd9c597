import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startError } from "countersign";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/[\\/]$/, "");
const command = path.join(root, "build-command.ts");
const env = { ...process.env, NODE_ENV: "production" };
/** Everything the built page is made from. */
const sources = [
  "page",
  "office/modules",
  "office/money.ts",
  "vite.config.ts",
  "build-command.ts",
  "../src/react",
  "../src/client",
  "../src/wire",
  "../package-lock.json",
];

/** Builds the page into a folder, if it is not there yet or its sources changed since. */
export async function buildPage(outDir: string): Promise<void> {
  const stamp = path.join(outDir, "built-from");
  const from = await fingerprint();
  const built = await readFile(stamp, "utf8").catch(() => null);
  if (built === from) return;
  const said = await run(outDir);
  if (said !== null) throw startError(`the page could not be built: ${said}`);
  await writeFile(stamp, from);
}

/** Builds the page, and again whenever a source changes, until the returned process ends. */
export function watchPage(outDir: string): ChildProcess {
  return spawn(process.execPath, [command, outDir, "--watch"], { env, stdio: "inherit" });
}

/** Answers the first line of what went wrong, null when nothing did. */
async function run(outDir: string): Promise<string | null> {
  const child = spawn(process.execPath, [command, outDir], { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (said += piece));
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0 ? null : (said.trim().split("\n")[0] ?? "") || `the builder ended with ${code}`;
}

/** Names, sizes and times of all sources: two that are equal are the same sources. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const files = await Promise.all(sources.map((source) => filesOf(path.join(root, source))));
  for (const line of files.flat().toSorted()) hash.update(line);
  return hash.digest("hex");
}

async function filesOf(place: string): Promise<readonly string[]> {
  const found = await stat(place);
  if (found.isFile()) return [`${place} ${found.size} ${found.mtimeMs}\n`];
  const names = await readdir(place, { recursive: true, withFileTypes: true });
  const files = names.filter((name) => name.isFile()).map((name) => filesOf(path.join(name.parentPath, name.name)));
  return (await Promise.all(files)).flat();
}
