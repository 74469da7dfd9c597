import { randomUUID } from "node:crypto";
import type { StoredMessage } from "../../src/chat/stored-message.ts";
import type { Endpoint, Provider } from "../../src/model/model.ts";
import { startReplayServer, type ReplayCase, type ReplayedRequest } from "../../src/testing/replay-server.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import { checkRequest } from "./check-request.ts";
import type { Observed, Quirk } from "./judge-case.ts";
import { plainAnswer } from "./plain-answers.ts";
import { readRequest } from "./read-request.ts";
import { newUser, startReplayNode, type ReplayNode } from "./replay-node.ts";

const providers = {
  "openai-chat": "openai-compatible",
  "openai-responses": "openai",
  anthropic: "anthropic",
  google: "google",
} as const satisfies Record<ReplayCase["protocol"], Provider>;

const questions = { before: "A question before.", asked: "What is the weather?", next: "What comes next?" };
const longestTurnMs = 40_000;
const atOnce = 4;

/** Runs each case as the third turn of a chat whose first two called a tool, and asks once more after it. */
export async function replayAll(
  quirks: readonly Quirk[],
  told: (quirk: Quirk, observed: Observed) => void,
): Promise<void> {
  const byId = new Map(quirks.map((quirk) => [quirk.id, quirk]));
  const asked = new Map<string, number>();
  const server = await startReplayServer((request) => {
    const quirk = byId.get(request.id);
    if (quirk === undefined) return null;
    const ofCase = JSON.stringify(request.body).includes(questions.asked) ? 1 : 0;
    const nth = (asked.get(request.id) ?? 0) + ofCase;
    asked.set(request.id, nth);
    return answer(quirk, request, nth);
  });
  const endpoints = quirks.map((quirk): Endpoint => ({
    name: quirk.id,
    provider: providers[quirk.protocol],
    model: "m",
    baseURL: server.baseURL(quirk.id),
    credential: { value: "key-of-nobody" },
    temperature: 0.5,
  }));
  const caseOf = new Map<string, string>();
  const node = await startReplayNode({
    endpoints,
    allowPrivateEndpoints: [new URL(server.baseURL("x")).host],
    requestsOf: (userId) => server.requests.filter(({ id }) => id === caseOf.get(userId)).map(({ body }) => body),
  });
  const left = [...quirks];
  const work = async (): Promise<void> => {
    for (let quirk = left.shift(); quirk !== undefined; quirk = left.shift()) {
      const userId = newUser(/image|picture/.test(quirk.request_hint ?? ""));
      caseOf.set(userId, quirk.id);
      told(quirk, await replayOne(node, quirk, { userId, requests: () => server.requests }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await node.close();
  await server.close();
}

/** A case answers its question until a result is in the request, then a plain text does; unless the case's hint says otherwise. */
function answer(quirk: Quirk, { body }: ReplayedRequest, nthOfCase: number): ReplayCase {
  const { protocol, request_hint: hint = "" } = quirk;
  const { question, results } = readRequest(body, protocol);
  if (question.includes(questions.before)) return plainAnswer(protocol, results > 0 ? "text" : "call");
  if (question.includes(questions.next)) return plainAnswer(protocol, "text");
  if (/every step/.test(hint)) return quirk;
  if (quirk.retry === "continue" && nthOfCase > 1) return plainAnswer(protocol, "text");
  const most = /two steps/.test(hint) ? 1 : 0;
  return results > most ? plainAnswer(protocol, "text") : quirk;
}

interface Around {
  readonly userId: string;
  requests(): readonly ReplayedRequest[];
}

async function replayOne(node: ReplayNode, quirk: Quirk, { userId, requests }: Around): Promise<Observed> {
  await node.settings.setUser(userId, { endpoint: quirk.id }, { asAdmin: true });
  const created = await node.chat.createConversation(userId);
  if (!created.ok) throw new Error(`a chat was refused: ${created.reason}`);
  const conversationId = created.conversation.id;
  const ends = await watchEnds(node, { userId, conversationId });
  const ask = async (text: string): Promise<{ readonly turnId: string; readonly how: string | null }> => {
    const started = await node.turns.start(userId, {
      conversationId,
      text,
      clientId: randomUUID(),
      requestContext: { requestId: randomUUID() },
    });
    if (!started.ok) throw new Error(`a turn was refused: ${started.reason}`);
    return { turnId: started.turnId, how: await ends.of(started.turnId) };
  };
  await ask(questions.before);
  await ask(questions.before);
  const { turnId, how } = await ask(questions.asked);
  await ask(questions.next);
  const messages: readonly StoredMessage[] = await node.chat.history(userId, {
    conversationId,
    characters: 2 ** 30,
    beforeSeq: 2 ** 31 - 1,
  });
  ends.stop();
  const sent = requests().filter(({ id }) => id === quirk.id);
  const problems = sent.map(({ body }) => checkRequest(body, quirk.protocol)).filter((problem) => problem !== null);
  const askedNext = sent.some(({ body }) => readRequest(body, quirk.protocol).question.includes(questions.next));
  return {
    ended: how,
    messages: messages.filter((message) => message.turnId === turnId),
    calls: node.calls.filter((call) => call.turnId === turnId),
    requestProblem: problems[0] ?? (askedNext ? null : "there was none"),
  };
}

interface Ends {
  /** How a turn ended; null when it did not in time. */
  of(turnId: string): Promise<string | null>;
  stop(): void;
}

async function watchEnds(
  node: ReplayNode,
  { userId, conversationId }: { readonly userId: string; readonly conversationId: string },
): Promise<Ends> {
  const ended = new Map<string, PromiseWithResolvers<string | null>>();
  const find = (turnId: string): PromiseWithResolvers<string | null> => {
    const known = ended.get(turnId) ?? Promise.withResolvers<string | null>();
    ended.set(turnId, known);
    return known;
  };
  const stopping = new AbortController();
  const watching = await node.chat.watch(userId, {
    conversationId,
    afterSeq: null,
    signal: stopping.signal,
    send: (encoded) => {
      for (const line of encoded.split("\n").filter((one) => one.startsWith("data:"))) {
        const event = JSON.parse(line.slice(5)) as ServerEvent;
        if (event.type === "turn_ended") find(event.turnId).resolve(event.how);
      }
      return true;
    },
  });
  if (!watching.ok) throw new Error(`watching was refused: ${watching.reason}`);
  return {
    of: async (turnId) => {
      const { promise, resolve } = find(turnId);
      const timer = setTimeout(() => resolve(null), longestTurnMs);
      const how = await promise;
      clearTimeout(timer);
      return how;
    },
    stop: () => stopping.abort(),
  };
}
