import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A stretch of network between a browser and a server: bytes pass untouched until it is cut. */
export interface Wire {
  /** The server as the browser reaches it. */
  readonly url: string;
  /** Destroys every connection and takes no new one, until `mend`. */
  cut(): void;
  mend(): void;
  /** Cuts at the next request of this kind: before its answer, or with the request itself lost too. */
  cutAt(request: RegExp, lost: "answer" | "request"): void;
  close(): Promise<void>;
}

export async function startWire(target: string): Promise<Wire> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let trap: { readonly request: RegExp; readonly lost: "answer" | "request" } | null = null;

  function cut(): void {
    isCut = true;
    trap = null;
    for (const socket of sockets) socket.destroy();
  }

  const server = createServer((browser) => {
    if (isCut) return void browser.destroy();
    const upstream = connect(Number(targetPort), hostname);
    let isTrapped = false;
    for (const [socket, other] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    browser.on("data", (bytes) => {
      if (trap?.request.test(bytes.toString("latin1")) === true) {
        if (trap.lost === "request") return cut();
        isTrapped = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isTrapped) return cut();
      browser.write(bytes);
    });
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (isCut = false),
    cutAt: (request, lost) => void (trap = { request, lost }),
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
