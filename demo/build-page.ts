import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startError } from "countersign";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/[\\/]$/, "");
const entries = ["main", "panel"] as const;
/** Everything the built page is made from. */
const sources = [
  "page",
  "office/modules",
  "office/money.ts",
  "vite.config.ts",
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
  try {
    const [{ build }, { pageBuild }] = await Promise.all([import("vite"), import("./vite.config.ts")]);
    await Promise.all(entries.map((entry) => build(pageBuild({ root, outDir, entry, watch: false }))));
    await writeFile(stamp, from);
  } catch (error) {
    throw startError(`the page could not be built: ${firstLine(error)}`, error);
  }
}

/** Builds the page, and again whenever a source changes. */
export async function watchPage(outDir: string): Promise<void> {
  const [{ build }, { pageBuild }] = await Promise.all([import("vite"), import("./vite.config.ts")]);
  await Promise.all(entries.map((entry) => build(pageBuild({ root, outDir, entry, watch: true }))));
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

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
