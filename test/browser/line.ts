import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A line between a browser and a server that can be as bad as a real one. */
export interface Line {
  /** Where the browser finds the server through it. */
  readonly url: string;
  /** `held`: of what the browser sends a beginning arrives, and then nothing. `broken`: all ends, and nothing new begins. */
  set(state: "whole" | "held" | "broken"): void;
  close(): Promise<void>;
}

/** Bytes of a connection that still arrive while the line is held. */
const arrives = 300_000;

export async function startLine(to: string): Promise<Line> {
  const target = new URL(to);
  let state: "whole" | "held" | "broken" = "whole";
  const near = new Set<Socket>();
  const server = createServer((browser) => {
    if (state === "broken") return void browser.destroy();
    near.add(browser);
    const far = connect(Number(target.port), target.hostname);
    let came = 0;
    browser.on("data", (piece: Buffer) => {
      came += piece.length;
      if (!far.write(piece) || (state === "held" && came > arrives)) browser.pause();
    });
    far.on("drain", () => void (state === "whole" && browser.resume()));
    far.on("data", (piece: Buffer) => browser.write(piece));
    for (const [one, other] of [
      [browser, far],
      [far, browser],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
    browser.on("close", () => near.delete(browser));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://${target.hostname}:${(server.address() as AddressInfo).port}`,
    set(next) {
      state = next;
      for (const browser of near) {
        if (next === "broken") browser.destroy();
        if (next === "whole") browser.resume();
      }
    },
    async close() {
      for (const browser of near) browser.destroy();
      await once(server.close(), "close");
    },
  };
}
