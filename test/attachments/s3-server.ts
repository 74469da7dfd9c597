import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** The few requests of S3 that files need, over real HTTP and by path, on what it keeps in memory. */
export interface S3Server {
  readonly endpoint: string;
  /** What is kept, by bucket and name. */
  readonly objects: ReadonlyMap<string, Buffer>;
  close(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
    void (async () => {
      if (!request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=id/")) {
        return response.writeHead(403).end();
      }
      const found = objects.get(name);
      switch (request.method) {
        case "PUT":
          objects.set(name, await buffer(request));
          return response.writeHead(200, { etag: '"e"' }).end();
        case "DELETE":
          objects.delete(name);
          return response.writeHead(204).end();
        default:
          if (found === undefined) return response.writeHead(404, { "content-type": "application/xml" }).end();
          response.writeHead(200, { "content-length": found.length, etag: '"e"' });
          return response.end(request.method === "HEAD" ? undefined : found);
      }
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
