#!/usr/bin/env node
// The program `countersign`. What it needs is loaded once the Node is known to be new enough for it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`countersign: Node ${process.versions.node} is too old: install Node 22.18 or newer.\n`);
  process.exit(1);
}
const { main } = await import("./main.ts");
const { status, text } = await main(process.argv.slice(2));
// A host's module may hold connections of its own open: what was said is out, and that is the end.
(status === 2 ? process.stderr : process.stdout).write(`${text}\n`, () => process.exit(status));
