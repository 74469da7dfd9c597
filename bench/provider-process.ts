// A provider of Chat Completions in a process of its own, so that its work is nobody's cost: `/<pieces>/v1/…` streams
// so many pieces of text, each written by itself.
import { createServer } from "node:http";
import { setImmediate as breathe } from "node:timers/promises";
import { words } from "./stream-words.ts";

const server = createServer((request, response) => {
  const pieces = Number(request.url?.split("/")[1] ?? 0);
  request.resume().on("end", () => {
    void (async () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (delta: object, more: object = {}): void => {
        const choices = [{ index: 0, delta, finish_reason: null, ...more }];
        const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices };
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      };
      for (let piece = 0; piece < pieces; piece++) {
        send({ content: words });
        await breathe();
      }
      send(pieces === 0 ? { content: "." } : {}, { finish_reason: "stop" });
      response.end("data: [DONE]\n\n");
    })();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(address.port);
});
process.on("disconnect", () => process.exit(0));
