import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createAssistant, type Assistant, type AssistantOptions } from "countersign";
import { createTestDatabase, scriptedModel, type ScriptedStep, type TestDatabase } from "countersign/testing";
import { readDescribed, type Described } from "./described.ts";
import { createDesk, type Desk, type SignIn } from "../desk.ts";

/** The desk's host with the assistant mounted under a path, on a port of its own: as a browser meets it. */
export interface Served {
  readonly desk: Desk;
  readonly base: TestDatabase;
  readonly assistant: Assistant;
  readonly origin: string;
  /** Sends a request; what changes something carries our header and the page's origin unless `headers` says otherwise. */
  ask(method: string, path: string, sent?: Sent): Promise<Answered>;
  /** Asks a question in a chat and waits until its turn has ended. */
  turn(who: SignIn, conversationId: string, text: string): Promise<string>;
  close(): Promise<void>;
}

export interface Sent {
  readonly as?: SignIn | string | undefined;
  readonly body?: unknown;
  /** Undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function serveDesk(
  script: readonly ScriptedStep[],
  options: Partial<AssistantOptions> = {},
): Promise<Served> {
  const base = await createTestDatabase();
  const desk = createDesk();
  const assistant = await createAssistant({
    database: base.connectionString,
    modules: desk.modules,
    sessions: desk.sessions,
    models: [
      { name: "scripted", provider: "openai-compatible", model: "scripted", languageModel: scriptedModel(script) },
    ],
    ...options,
  });
  const listener = getRequestListener(assistant.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address !== "object") throw new Error("a port was taken");
  const origin = `http://127.0.0.1:${address.port}`;

  let described: Described | null = null;
  const ask: Served["ask"] = async (method, path, sent = {}) => {
    const ref = typeof sent.as === "object" ? sent.as.ref : sent.as;
    const wanted: Record<string, string | undefined> = {
      ...(ref !== undefined && { "x-desk-session": ref }),
      ...(method !== "GET" && { "x-countersign": "1", origin }),
      ...(sent.body !== undefined && { "content-type": "application/json" }),
      ...sent.headers,
    };
    const headers = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const given = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body);
    const answer = await fetch(`${origin}/assistant${path}`, {
      method,
      headers: headers as [string, string][],
      ...(given !== undefined && { body: given }),
    });
    const text = await answer.text();
    const body = (text === "" ? {} : JSON.parse(text)) as Answered["body"];
    const answered: Answered = { status: answer.status, headers: answer.headers, body };
    described?.check({ method, path }, answered);
    return answered;
  };
  described = await readDescribed(ask, desk.signIn("who-describes").ref);

  let asked = 0;
  return {
    desk,
    base,
    assistant,
    origin,
    ask,
    async turn(who, conversationId, text) {
      const events = await fetch(`${origin}/assistant/conversations/${conversationId}/events`, {
        headers: { "x-desk-session": who.ref },
      });
      const started = await ask("POST", `/conversations/${conversationId}/turns`, {
        as: who,
        body: { text, clientId: `question-${++asked}` },
      });
      let seen = "";
      const decoder = new TextDecoder();
      for await (const chunk of events.body ?? []) {
        seen += decoder.decode(chunk, { stream: true });
        if (seen.includes('"turn_ended"') && seen.includes("\n\n", seen.indexOf('"turn_ended"'))) break;
      }
      return String(started.body["turnId"]);
    },
    async close() {
      await assistant.drain();
      await assistant.close();
      server.closeAllConnections();
      await once(server.close(), "close");
      await base.drop();
    },
  };
}
