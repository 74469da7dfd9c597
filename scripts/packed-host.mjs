// A host in a few lines, run on the packed package: every door for Node loads, and a request is answered from a real database.
import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAssistant, demoEndpoint } from "countersign";
import { useCountersignRuntime } from "countersign/assistant-ui";
import manifest from "countersign/package.json" with { type: "json" };
import { createClient } from "countersign/client";
import { AssistantPanel } from "countersign/react";
import { AssistantAdmin } from "countersign/react/admin";
import { createRedisBus } from "countersign/redis";
import { createTestDatabase } from "countersign/testing";

const { connectionString, drop } = await createTestDatabase();
const assistant = await createAssistant({
  database: connectionString,
  schema: "packed",
  modules: [],
  models: [demoEndpoint],
  files: { folder: fileURLToPath(new URL("files", import.meta.url)) },
  sessions: {
    load: (ref) => Promise.resolve({ ref, userId: "ann", can: () => true }),
    resolve: () => "packed",
  },
});

const origin = "http://127.0.0.1";
async function ask(method, path, body) {
  const headers = { origin, "x-countersign": "1", "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body, duplex: "half" }) };
  const response = await assistant.fetch(new Request(`${origin}/assistant${path}`, init));
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

await ask("GET", "/me");
const { conversation } = await ask("POST", "/conversations", "{}");
// A file is read by a program of its own, which a build can forget.
await ask("POST", `/conversations/${conversation.id}/attachments?name=note.txt`, "Remember the milk.");
let state = "reading";
for (let tries = 0; state === "reading" && tries < 300; tries++) {
  await pause(100);
  const { attachments } = await ask("GET", `/conversations/${conversation.id}/attachments`);
  state = attachments[0]?.state;
}
// The program, as npm puts it beside a host's others: plain Node, no loader.
const program = fileURLToPath(import.meta.resolve("countersign/package.json")).replace(
  "package.json",
  manifest.bin.countersign,
);
const environment = { ...process.env, DATABASE_URL: connectionString, COUNTERSIGN_SCHEMA: "packed" };
const told = spawnSync(process.execPath, [program, "doctor"], { env: environment, encoding: "utf8" });
if (told.status !== 0) console.error(`${told.stdout}${told.stderr}`);
await assistant.drain();
await assistant.close();
await drop();

const wrong = [
  import.meta.resolve("countersign").includes("/src/") && "the source was loaded, not the build",
  import.meta.resolve("countersign/panel.js").endsWith("/dist/panel.js") || "the panel is not its one file",
  state === "ready" || `a file was not read: ${state}`,
  told.status === 0 || "the doctor finds something wrong",
  typeof createRedisBus === "function" || "countersign/redis has no createRedisBus",
  typeof createClient === "function" || "countersign/client has no createClient",
  typeof AssistantPanel === "function" ||
    typeof AssistantPanel === "object" ||
    "countersign/react has no AssistantPanel",
  typeof useCountersignRuntime === "function" || "countersign/assistant-ui has no useCountersignRuntime",
  typeof AssistantAdmin === "function" || "countersign/react/admin has no AssistantAdmin",
].filter((sentence) => typeof sentence === "string");
for (const sentence of wrong) console.error(sentence);
console.log(wrong.length === 0 ? "the packed package serves a host" : "the packed package does not serve a host");
process.exitCode = wrong.length === 0 ? 0 : 1;
