import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { repository } from "./source-files.ts";

// A host's module: it knows the package by its name alone.
const host = createRequire(import.meta.url);

describe("The package is entered by its doors only", () => {
  test("these doors, and no others", () => {
    expect(Object.keys(manifest.exports)).toEqual([
      ".",
      "./client",
      "./react",
      "./react/admin",
      "./assistant-ui",
      "./panel.js",
      "./testing",
      "./redis",
      "./package.json",
    ]);
  });

  const doors = Object.entries(manifest.exports).flatMap(([door, targets]) =>
    typeof targets === "string" ? [] : [{ door, targets }],
  );

  test.each(doors)("$door names its source, its types and its build", ({ targets }) => {
    expect(Object.keys(targets)).toEqual(["countersign-source", "types", "default"]);
    expect(existsSync(join(repository, targets["countersign-source"]))).toBe(true);
    expect(targets.types).toMatch(/^\.\/dist\/.*\.d\.ts$/);
    expect(targets.default).toMatch(/^\.\/dist\/.*\.js$/);
  });

  test.each(doors)("$door resolves to its source here", ({ door, targets }) => {
    expect(host.resolve(`countersign${door.slice(1)}`)).toBe(join(repository, targets["countersign-source"]));
  });

  test.each(["src/index.ts", "src/core/core.ts", "dist/index.js", "core", "client/index.ts", "database/sql"])(
    "countersign/%s does not resolve",
    (path) => {
      expect(() => host.resolve(`countersign/${path}`)).toThrow(
        expect.objectContaining({ code: "ERR_PACKAGE_PATH_NOT_EXPORTED" }),
      );
    },
  );
});
