import { createServer, type RequestListener, type Server } from "node:http";
import { once } from "node:events";
import { getRequestListener } from "@hono/node-server";
import { startError } from "countersign";

type Fetch = (request: Request) => Response | Promise<Response>;

export interface Listening {
  readonly port: number;
  /** Answers with this from now on; until then every request is told to wait. */
  serve(fetch: Fetch): void;
  close(): Promise<void>;
}

/** Takes a port of this machine alone, under both addresses that `localhost` can mean. Throws a start error when it cannot. */
export async function listen(asked: string): Promise<Listening> {
  const wanted = Number(asked);
  if (!/^\d{1,5}$/.test(asked) || wanted > 65_535) {
    throw startError(`PORT: expected a number up to 65535, got ${JSON.stringify(asked)}.`);
  }
  let answer: RequestListener = (_request, response) => {
    response.writeHead(503, { "content-type": "text/plain", "retry-after": "1" }).end("Starting …");
  };
  const handle: RequestListener = (request, response) => answer(request, response);
  const first = await bind(handle, wanted, "127.0.0.1");
  const address = first?.address();
  if (first === null || address === null || typeof address !== "object") {
    throw startError("this machine has no address 127.0.0.1 to listen on.");
  }
  const { port } = address;
  const servers = [first];
  try {
    const second = await bind(handle, port, "::1");
    if (second !== null) servers.push(second);
  } catch (error) {
    first.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    await Promise.all(
      servers.map((server) => {
        const closed = once(server.close(), "close");
        server.closeAllConnections();
        return closed;
      }),
    );
  };
  let closed: Promise<void> | undefined;
  return {
    port,
    serve(fetch) {
      const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
      answer = (request, response) => void listener(request, response);
    },
    close: () => (closed ??= close()),
  };
}

/** Null where the machine has no such address. */
async function bind(handle: RequestListener, port: number, host: string): Promise<Server | null> {
  const server = createServer(handle);
  try {
    await once(server.listen(port, host), "listening");
    return server;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return null;
    if (code === "EADDRINUSE") {
      throw startError(`port ${port} is taken; stop what uses it, or set PORT to another number.`, error);
    }
    if (code === "EACCES")
      throw startError(`port ${port} may not be used by this user; set PORT to one above 1023.`, error);
    throw error;
  }
}
