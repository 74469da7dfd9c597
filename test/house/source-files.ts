import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Paths from the repository's root, with forward slashes, sorted. */
export function filesOf(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: repository })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();
}

export const read = (file: string): string => readFileSync(join(repository, file), "utf8");

/** A test, or what only the tests of its room stand on. */
export const isTest = (file: string): boolean => /\.test\.tsx?$|\/test-node\.ts$/.test(file);

/** Everything a file imports or hands on, in any form: static, type only, dynamic, for its effect. */
export function importsOf(file: string): readonly string[] {
  const text = read(file).replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const form = /\b(?:from\s*|import\s*\(?\s*|import\.meta\.resolve\(\s*|new URL\(\s*)(["'])([^"'\n]+)\1/g;
  return [...text.matchAll(form)].map((match) => match[2] ?? "");
}
