import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createBills } from "../../src/testing/bills.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createAddressCheck } from "../../src/model/address-check.ts";
import { createHttpFetch } from "../../src/model/http-fetch.ts";
import { createTurnScenes } from "../../src/testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

async function serve(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return { host: `127.0.0.1:${port}`, close: () => void server.close() };
}

test("a provider that answers with a redirect leads nowhere, also where both addresses are allowed", async () => {
  let reached = 0;
  const inward = await serve((_request, response) => {
    reached += 1;
    response.end("secret");
  });
  const provider = await serve((_request, response) =>
    response.writeHead(302, { location: `http://${inward.host}/` }).end(),
  );
  const http = createHttpFetch(createAddressCheck([provider.host, inward.host]));
  const request = {
    url: new URL(`http://${provider.host}/`),
    method: "POST",
    headers: {},
    body: "",
    signal: undefined,
  };
  await expect(http.send(request, 5_000)).rejects.toMatchObject({ fault: "address" });
  expect(reached).toBe(0);
  http.close();
  inward.close();
  provider.close();
});

test("a provider is sent what the user's rights let the model read, and no sign-in, permission or key of the host", async () => {
  const scene = await scenes.open([{ text: "Hello." }], { modules: [createBills().module] });
  await scene.ask("Hi");
  const sent = JSON.stringify(scene.model.requests);
  for (const hidden of [scene.ref, scene.userId, "bills.write", "assistant.use"]) expect(sent).not.toContain(hidden);
});
