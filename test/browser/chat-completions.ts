import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

interface Sent {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** What a model says to a request: text in pieces, then at most one call of a tool, its arguments in pieces too. */
export interface Said {
  readonly text: readonly string[];
  readonly call?: { readonly tool: string; readonly arguments: readonly string[] };
  /** Awaited before each piece of text, by its number: how a test holds an answer in its middle. */
  readonly before?: (piece: number) => Promise<void>;
}

export interface ModelServer {
  /** For COUNTERSIGN_MODEL_URL. */
  readonly url: string;
  readonly requests: readonly Sent[];
  close(): Promise<void>;
}

/** A server of this machine that speaks the stream of OpenAI's chat completions, as local models do. */
export async function startModelServer(answer: (sent: Sent) => Said): Promise<ModelServer> {
  const requests: Sent[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/v1/models") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[]}');
      return;
    }
    void (async () => {
      let body = "";
      for await (const piece of request.setEncoding("utf8")) body += String(piece);
      const sent = JSON.parse(body) as Sent;
      requests.push(sent);
      response.writeHead(200, { "content-type": "text/event-stream" });
      for await (const chunk of toChunks(sent, { ...answer(sent), number: requests.length })) {
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        await pause(5);
      }
      response.end("data: [DONE]\n\n");
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

async function* toChunks(sent: Sent, said: Said & { readonly number: number }): AsyncGenerator<object> {
  const base = { id: `chatcmpl-${said.number}`, object: "chat.completion.chunk", created: 1, model: sent.model };
  const chunk = (delta: object, finish: string | null = null): object => {
    return { ...base, choices: [{ index: 0, delta, finish_reason: finish }] };
  };
  yield chunk({ role: "assistant", content: "" });
  for (const [index, piece] of said.text.entries()) {
    await said.before?.(index);
    yield chunk({ content: piece });
  }
  const { call } = said;
  if (call !== undefined) {
    const name = sent.tools?.find((tool) => tool.function.name.endsWith(call.tool))?.function.name;
    const start = { index: 0, id: `call_${said.number}`, type: "function", function: { name, arguments: "" } };
    yield chunk({ tool_calls: [start] });
    for (const piece of call.arguments) yield chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
  }
  yield chunk({}, call === undefined ? "stop" : "tool_calls");
  yield { ...base, choices: [], usage: { prompt_tokens: 400, completion_tokens: 20, total_tokens: 420 } };
}
