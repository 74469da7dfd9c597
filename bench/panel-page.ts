import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { answer, me, toChat, userMessage } from "../test/fixtures.ts";
import { createScriptedAssistant, type ScriptedAssistant } from "../test/scripted-assistant.ts";
import { serveScripted } from "../test/serve-scripted.ts";

/** The built `panel.js` on a page of its own, before an assistant that answers at once. */
export interface PanelPage {
  readonly url: string;
  readonly assistant: ScriptedAssistant;
  close(): Promise<void>;
}

const page = `<!doctype html><meta charset="utf-8"><title>Panel</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css">
<script type="module" src="/panel.js"></script><countersign-panel base-url="/assistant" lang="en-GB"></countersign-panel>`;
/** The floor: a bare field, and the same events as text beside it. */
const bare = `<!doctype html><meta charset="utf-8"><title>Bare</title><link rel="icon" href="data:,">
<script type="module" src="/bare.js"></script><textarea aria-label="Message"></textarea><pre></pre>`;
const bareScript = `const headers = { "last-event-id": "${Number.MAX_SAFE_INTEGER}" };
const { body } = await fetch("/assistant/conversations/c1/events", { headers });
const reader = body.pipeThrough(new TextDecoderStream()).getReader();
for (;;) document.querySelector("pre").textContent = (await reader.read()).value;`;
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'";

const prose = [
  "It was paid on time, by the account that always pays, and nothing is open there any more.",
  "Three are late:\n\n| Customer | Open | Late by |\n| - | -: | -: |\n| Acme GmbH | € 1,240.00 | 19 days |\n| Blue Yonder | € 1,075.20 | 34 days |\n\nThe rest is **fine**.",
  "1. Remind *Blue Yonder* first.\n2. Ask Acme about `INV-2041`.\n   - same lines\n   - same amount\n3. Leave the others alone.",
  "```sql\nselect customer, sum(open_amount)\nfrom invoices\ngroup by customer;\n```\n\nThe handbook is [here](https://handbook.example.com).",
];

/** A chat of this many messages, `c1`, each second one an answer with marks. */
export async function openPanelPage(messages: number): Promise<PanelPage> {
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-bench-panel-"));
  const configFile = fileURLToPath(new URL("../vite.panel.config.ts", import.meta.url));
  await build({ configFile, logLevel: "error", build: { outDir: folder } });
  const panel = await readFile(path.join(folder, "panel.js"), "utf8");
  await rm(folder, { recursive: true });

  const all = Array.from({ length: messages }, (_, index) =>
    index % 2 === 0
      ? userMessage({ seq: index + 1, text: `Question ${index + 1}: and what about the next one?` })
      : answer({ seq: index + 1, text: `Answer ${index + 1}. ${prose[(index >> 1) % prose.length] ?? ""}` }),
  );
  const scripted = createScriptedAssistant({ me, chats: [toChat("c1", { messages: all, title: "A long one" })] });
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/": ["text/html; charset=utf-8", page],
    "/bare": ["text/html; charset=utf-8", bare],
    "/bare.js": ["text/javascript; charset=utf-8", bareScript],
    "/panel.js": ["text/javascript; charset=utf-8", panel],
    "/page.css": ["text/css", "html, body, countersign-panel { display: block; height: 100%; margin: 0 }"],
  };
  const assistant: ScriptedAssistant = {
    ...scripted,
    fetch(request) {
      const file = files[new URL(request.url).pathname];
      if (file === undefined) return scripted.fetch(request);
      const headers = { "content-type": file[0], "content-security-policy": policy };
      return Promise.resolve(new Response(file[1], { headers }));
    },
  };
  const served = await serveScripted(assistant);
  return { url: new URL("/", served.baseUrl).href, assistant: scripted, close: () => served.shut() };
}
