// npm run dev: the demo, started anew when the server's code changes; the page is built anew when its sources change.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { watchPage } from "./build-page.ts";
import { makeHome } from "./home.ts";
import { toSentence } from "./sentences.ts";

const home = fileURLToPath(new URL("../.countersign", import.meta.url));

try {
  await makeHome(home);
} catch (error) {
  console.error(toSentence(error));
  process.exit(1);
}
const page = watchPage(`${home}/page`);
const server = spawn(
  process.execPath,
  ["--conditions=countersign-source", "--watch", fileURLToPath(new URL("start.ts", import.meta.url))],
  { stdio: "inherit", env: { ...process.env, COUNTERSIGN_DEMO_PAGE: "watched" } },
);
// Ctrl-C reaches the server by itself; this process waits for its last words.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => server.kill("SIGTERM"));
server.on("exit", (code) => {
  page.kill();
  process.exit(code ?? 1);
});
