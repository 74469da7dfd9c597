import { appendFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "../../src/logger.ts";
import { findLeaks, forgetLines, heard, watchLogs } from "../../src/testing/log-watch.ts";
import { openRooms } from "../open-rooms.ts";
import { createReaper } from "./deaths.ts";
import { mistaken } from "./mistakes.ts";
import { createOffice } from "./office.ts";
import { officeModel } from "./office-model.ts";
import type { NodeSetup } from "./node-setup.ts";

/** What a node process tells whoever started it. */
export interface Ready {
  readonly origin: string;
}

/** Joins the rooms of a node over the office and serves them until SIGTERM. */
export async function runNode(setup: NodeSetup): Promise<void> {
  const { connectionString, values, mistake, name } = setup;
  watchLogs();
  const logger = fileLogger(setup);
  const reaper = createReaper(setup.death);
  const office = createOffice(setup, reaper);
  const rooms = await openRooms({
    ...{ connectionString, values, logger, node: name, modules: office.modules, sessions: office.sessions },
    endpoints: [officeModel(setup)],
    between: (database) => mistaken(reaper.between(database), mistake),
  });
  const listener = getRequestListener(rooms.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address !== "object") throw new Error("a port was taken");
  process.once("SIGTERM", () => {
    // As a deployment ends a process: what runs is asked to end, and then everything is closed.
    void rooms
      .drain()
      .then(() => {
        server.closeAllConnections();
        return rooms.close();
      })
      .finally(() => process.exit(0));
  });
  const ready: Ready = { origin: `http://127.0.0.1:${address.port}` };
  process.send?.(ready);
}

/** Writes each line down, and beside it what it holds of what the model was asked and answered. */
function fileLogger({ logFile, leakFile, name }: NodeSetup): Logger {
  const say = (level: string) => (fields: object, message: string) =>
    appendFileSync(logFile, `${JSON.stringify({ node: name, level, ...fields, message })}\n`);
  const said: Logger = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
  const watched = heard(said);
  const judge =
    (level: keyof Logger) =>
    (fields: object, message: string): void => {
      watched[level](fields, message);
      for (const leak of findLeaks()) appendFileSync(leakFile, `${JSON.stringify(leak)}\n`);
      forgetLines();
    };
  return { debug: judge("debug"), info: judge("info"), warn: judge("warn"), error: judge("error") };
}
