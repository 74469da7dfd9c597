import { dirname, posix } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { browserRooms } from "../../scripts/rooms.ts";
import { importsOf } from "./source-files.ts";

const doors = (["./client", "./react", "./react/admin", "./assistant-ui", "./panel.js"] as const).map((door) => ({
  door,
  file: manifest.exports[door]["countersign-source"].replace("./", ""),
}));

/** Every file a door loads, types included, and every package it asks for. */
function walk(door: string): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [door];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (!/\.tsx?$/.test(file)) continue;
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith(".")) waiting.push(posix.join(dirname(file), specifier.replace(/\?.*$/, "")));
      else packages.add(specifier);
    }
  }
  return { files, packages };
}

const browserFolders = ["src/wire/", "src/client/", "src/react/", "src/assistant-ui/"];
const browserPackages = Object.values(browserRooms).flat();

describe("A browser door loads nothing of the server", () => {
  test.each(doors)("$door", ({ file }) => {
    const { files, packages } = walk(file);
    const foreign = [...files].filter(
      (path) => path !== "src/outcome.ts" && !browserFolders.some((folder) => path.startsWith(folder)),
    );
    expect(foreign).toEqual([]);
    const unknown = [...packages].filter(
      (name) => !browserPackages.some((known) => name === known || name.startsWith(`${known}/`)),
    );
    expect(unknown).toEqual([]);
  });

  test("the same walk from the server's door does find the server", () => {
    const { files, packages } = walk("src/index.ts");
    expect([...files]).toContain("src/database/connect.ts");
    expect([...packages]).toContain("pg");
    expect([...packages].some((name) => name.startsWith("node:"))).toBe(true);
  });
});
