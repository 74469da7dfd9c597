// Builds the page into a folder: `node build-command.ts <folder> [--watch]`. A process of its own, so that what building
// loads does not stay in the server, and a NODE_ENV of the shell changes nothing.
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { pageBuild } from "./vite.config.ts";

const [outDir = "", watch] = process.argv.slice(2);
const root = fileURLToPath(new URL(".", import.meta.url)).replace(/[\\/]$/, "");

try {
  const entries = ["main", "admin", "panel"] as const;
  await Promise.all(entries.map((entry) => build(pageBuild({ root, outDir, entry, watch: watch === "--watch" }))));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
