import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Browser, Page } from "playwright-core";
import { createGate } from "../../src/testing/gate.ts";
import type { Gate } from "../../src/testing/gate.ts";
import { createHome, startDemoProcess } from "../demo/demo-process.ts";
import { patient } from "../patient.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { startModelServer, type ModelServer, type Said } from "./chat-completions.ts";
import { startWire, type Wire } from "./cut-wire.ts";
import { officeUser, type OfficeUser } from "./office.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let browser: Browser;
let models: ModelServer;
let wire: Wire;
let database: pg.Pool;
/** Held before the second piece of each answer that has one. */
let middle: Gate = createGate();
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  models = await startModelServer(({ messages }): Said => {
    const asked = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
    const invoice = /INV-\d+/.exec(asked)?.[0];
    if (invoice !== undefined) {
      return {
        text: ["Please ", "confirm."],
        call: { tool: "invoice_mark_paid", arguments: [`{"number":"${invoice}"}`] },
      };
    }
    return {
      text: ["It began in March. ", "Then came April. ", "And so on."],
      before: async (piece) => (piece === 1 ? middle.pass() : undefined),
    };
  });
  ends.push(models.close);
  const { home, remove } = await createHome();
  ends.push(remove);
  const demo = await startDemoProcess({ COUNTERSIGN_HOME: home, COUNTERSIGN_MODEL_URL: models.url });
  ends.push(() => demo.end());
  if (demo.url === null) throw new Error(demo.output());
  wire = await startWire(demo.url);
  ends.push(wire.close);
  database = new pg.Pool({ host: path.join(home, "postgres"), user: "countersign", database: "postgres" });
  ends.push(() => database.end());
});

afterAll(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

async function openOffice(): Promise<{ readonly page: Page; readonly user: OfficeUser }> {
  wire.mend();
  const context = await browser.newContext({ locale: "en-GB" });
  const { page } = await openPage(context);
  const user = officeUser(page, wire.url);
  await user.signIn("Maja Lind");
  return { page, user };
}

async function messagesOf(text: string): Promise<readonly object[]> {
  const { rows } = await database.query<object>(
    `select role, coalesce(tool_outcome, '') as outcome from countersign.messages m
     where conversation_id in (select conversation_id from countersign.messages where role = 'user' and text = $1)
     order by seq`,
    [text],
  );
  return rows;
}

describe("the network is cut", () => {
  test("in the middle of an answer: the panel says so, the answer goes on without it, and is there whole and once", async () => {
    const { page, user } = await openOffice();
    middle = createGate();
    const asked = models.requests.length;
    await user.ask("How did it come to this?");
    const answer = page.locator(".cs-answer").last();
    await answer.getByText("It began in March.").waitFor();
    wire.cut();
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    // What is written meanwhile is kept.
    await page.getByRole("textbox", { name: "Message" }).fill("And then?");
    middle.open();
    const count = async (): Promise<number> => (await messagesOf("How did it come to this?")).length;
    await expect.poll(count, patient).toBe(2);
    wire.mend();
    await answer.getByText("It began in March. Then came April. And so on.").waitFor();
    await page.getByText("Connection lost. Reconnecting…").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Send" }).waitFor();
    expect(await page.locator(".cs-question").count()).toBe(1);
    expect(await page.locator(".cs-answer").count()).toBe(1);
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("And then?");
    expect(models.requests.length - asked).toBe(1);
    await page.context().close();
  });

  test.each(["answer", "request"] as const)(
    "in the middle of a message, its %s lost: the text stays, and is asked once",
    async (lost) => {
      const { page } = await openOffice();
      middle = createGate();
      middle.open();
      const text = `What came next, once its ${lost} was lost?`;
      const asked = models.requests.length;
      // The chat is made by a request of its own before.
      wire.cutAt(/^POST \S+\/turns /, lost);
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("textbox", { name: "Message" }).press("Enter");
      await page.getByText("No connection. Your message is kept, and sent as soon as it works.").waitFor();
      expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe(text);
      wire.mend();
      await page.locator(".cs-answer").getByText("And so on.").waitFor();
      await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue(), patient).toBe("");
      expect(await page.locator(".cs-question").count()).toBe(1);
      expect(await messagesOf(text)).toEqual([
        { role: "user", outcome: "" },
        { role: "assistant", outcome: "" },
      ]);
      expect(models.requests.length - asked).toBe(1);
      await page.context().close();
    },
  );

  test.each([
    ["answer", "INV-1042"],
    ["request", "INV-1044"],
  ] as const)(
    "in the middle of a click, its %s lost: the card says that it asks again, and the write runs once",
    async (lost, invoice) => {
      const { page, user } = await openOffice();
      const text = `Mark invoice ${invoice} as paid`;
      await user.ask(text);
      await user.cardIs("waiting");
      wire.cutAt(/^POST \S+\/confirm /, lost);
      await user.card().getByRole("button", { name: "Confirm" }).click();
      await user.card().getByText("No answer yet. Asking again; it is done once at most…").waitFor();
      expect(await user.card().getByRole("button", { name: "Confirm" }).count()).toBe(0);
      wire.mend();
      await user.cardIs("confirmed");
      await user.waitForStatus(invoice, "paid");
      const { rows } = await database.query(
        `select (select version from demo.invoices where number = $1) as version,
              (select count(*)::int from countersign.tool_calls t where step = 'redeem' and code is null
                 and confirmation_id in (select confirmation_id from countersign.messages
                   where conversation_id in (select conversation_id from countersign.messages where role = 'user' and text = $2))) as redeemed`,
        [invoice, text],
      );
      expect(rows).toEqual([{ version: 2, redeemed: 1 }]);
      expect((await messagesOf(text)).filter((row) => "outcome" in row && row.outcome !== "")).toHaveLength(1);
      await page.context().close();
    },
  );
});
