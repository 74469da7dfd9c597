// Packs what would be published and looks at it as hosts get it: its manifest, its types, and one host that runs on it.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";

// Inside the repository, so that the package finds its dependencies, under a name of its own, so that it is found packed.
const host = mkdtempSync(".packed-");
const run = (command: string): boolean => spawnSync(command, { shell: true, stdio: "inherit" }).status === 0;

function packInto(folder: string): string {
  run(`npm pack --ignore-scripts --silent --pack-destination ${folder}`);
  const name = readdirSync(folder).find((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack made no archive");
  return `${folder}/${name}`;
}

try {
  const archive = packInto(host);
  mkdirSync(`${host}/node_modules`);
  writeFileSync(`${host}/package.json`, JSON.stringify({ name: "packed-host", private: true, type: "module" }));
  copyFileSync("scripts/packed-host.mjs", `${host}/host.mjs`);
  const fine = [
    run(`publint run ${archive} --strict`),
    run(`attw ${archive} --profile esm-only --format table-flipped --no-summary`),
    run(`tar -xzf ${archive} -C ${host}/node_modules`),
  ].every(Boolean);
  renameSync(`${host}/node_modules/package`, `${host}/node_modules/countersign`);
  if (!run(`node ${host}/host.mjs`) || !fine) process.exitCode = 1;
} finally {
  rmSync(host, { recursive: true, force: true });
}
