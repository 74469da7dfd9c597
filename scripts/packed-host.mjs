// A host in a few lines, run on the packed package: every door for Node loads, and a request is answered from a real database.
import { createAssistant, demoEndpoint } from "countersign";
import { createClient } from "countersign/client";
import { AssistantPanel } from "countersign/react";
import { createTestDatabase } from "countersign/testing";

const { connectionString, drop } = await createTestDatabase();
const assistant = await createAssistant({
  database: connectionString,
  schema: "packed",
  modules: [],
  models: [demoEndpoint],
  sessions: {
    load: (ref) => Promise.resolve({ ref, userId: "ann", can: () => true }),
    resolve: () => "packed",
  },
});
const answer = await assistant.fetch(new Request("http://127.0.0.1/assistant/me"));
await assistant.drain();
await assistant.close();
await drop();

const wrong = [
  import.meta.resolve("countersign").includes("/src/") && "the source was loaded, not the build",
  import.meta.resolve("countersign/panel.js").endsWith("/dist/panel.js") || "the panel is not its one file",
  answer.status === 200 || `GET /me answered ${answer.status}: ${await answer.clone().text()}`,
  typeof createClient === "function" || "countersign/client has no createClient",
  typeof AssistantPanel === "function" ||
    typeof AssistantPanel === "object" ||
    "countersign/react has no AssistantPanel",
].filter((sentence) => typeof sentence === "string");
for (const sentence of wrong) console.error(sentence);
console.log(wrong.length === 0 ? "the packed package serves a host" : "the packed package does not serve a host");
process.exitCode = wrong.length === 0 ? 0 : 1;
