import { sharedServer } from "../../src/testing/test-database.ts";
import { startTestServer } from "../../src/testing/test-server.ts";

/** One server for the whole run; every test file copies its own database from the template. */
export default async function setup(): Promise<() => Promise<void>> {
  const { stop, ...server } = await startTestServer();
  process.env[sharedServer] = JSON.stringify(server);
  return stop;
}
