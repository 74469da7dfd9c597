import { cp } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Browser } from "playwright-core";
import { createHome, startDemoProcess, type DemoProcess } from "../demo/demo-process.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { startModelServer, type ModelServer, type Said } from "./chat-completions.ts";
import { officeUser } from "./office.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let browser: Browser;
const ends: (() => Promise<unknown>)[] = [];
let builtPage: string | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

/** A demo on a fresh folder: a database and a page of its own. */
async function freshDemo(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly demo: DemoProcess; readonly url: string; readonly home: string }> {
  const { home, remove } = await createHome();
  ends.push(remove);
  // The page is the same for all: it is built once.
  if (builtPage !== undefined) await cp(builtPage, path.join(home, "page"), { recursive: true });
  builtPage ??= path.join(home, "page");
  const demo = await startDemoProcess({ COUNTERSIGN_HOME: home, ...environment });
  ends.push(() => demo.end());
  if (demo.url === null) throw new Error(demo.output());
  return { demo, url: demo.url, home };
}

/** Signs in, asks, and confirms a change; the host's own table shows it. */
async function expectPlayThrough(url: string): Promise<void> {
  const context = await browser.newContext({ locale: "en-GB" });
  const { page, complaints } = await openPage(context);
  const user = officeUser(page, url);
  await user.signIn("Maja Lind");
  expect(await user.statusOf("INV-1042")).toBe("overdue");

  await user.ask("Which invoices are overdue?");
  await page.locator(".cs-panel table td", { hasText: "INV-1044" }).waitFor();

  await user.ask("Mark invoice INV-1042 as paid");
  await user.cardIs("waiting");
  const shown = (await user.card().innerText()).replaceAll(/\s+/g, " ");
  expect(shown).toContain("Mark INV-1042 of Northwind Hotels as paid");
  expect(shown).toMatch(/Amount owed.*€14,200\.00.*€0\.00/);
  expect(await user.statusOf("INV-1042")).toBe("overdue");

  await user.card().getByRole("button", { name: "Confirm" }).click();
  await user.cardIs("confirmed");
  await user.waitForStatus("INV-1042", "paid");

  // The page with one script tag: the same chat, in an element of its own.
  await page.goto(`${url}/embed`);
  await page.locator("countersign-panel .cs-card").first().waitFor();
  expect(complaints.all).toEqual([]);
  await context.close();
}

describe("On a fresh folder a person signs in, asks, and confirms a change that the host's own table then shows", () => {
  test("with the demo model", async () => {
    const { url } = await freshDemo();
    await expectPlayThrough(url);
  });

  describe("with a model server on this machine", () => {
    let models: ModelServer;
    beforeAll(async () => {
      models = await startModelServer(({ messages }): Said => {
        const last = messages.at(-1);
        if (last?.role === "tool") return { text: ["| Invoice |\n", "| --- |\n", "| INV-", "1044 |\n"] };
        const asked = JSON.stringify(last?.content);
        return asked.includes("overdue")
          ? {
              text: ["I look ", "it up."],
              call: { tool: "invoices_find", arguments: ['{"sta', 'tus":"over', 'due"}'] },
            }
          : {
              text: ["Please ", "confirm."],
              call: { tool: "invoice_mark_paid", arguments: ['{"number"', ':"INV-1042"}'] },
            };
      });
      ends.push(models.close);
    });

    test("that speaks the stream of chat completions", async () => {
      const { url, demo } = await freshDemo({ COUNTERSIGN_MODEL_URL: models.url, COUNTERSIGN_MODEL_NAME: "local" });
      expect(demo.output()).toContain("with local of openai-compatible");
      await expectPlayThrough(url);
      expect(models.requests.map(({ model, stream }) => ({ model, stream }))).toEqual(
        Array.from({ length: 3 }, () => ({ model: "local", stream: true })),
      );
    });
  });
});

test("two tabs confirm one card at once: its handler runs once, and both show the same outcome", async () => {
  const { url, home } = await freshDemo();
  const context = await browser.newContext({ locale: "en-GB" });
  const first = await openPage(context);
  const second = await openPage(context);
  const one = officeUser(first.page, url);
  await one.signIn("Maja Lind");
  await one.ask("Mark invoice INV-1044 as paid");
  await one.cardIs("waiting");

  await second.page.goto(url);
  const other = officeUser(second.page, url);
  await other.openChat("Mark invoice INV-1044 as paid");
  await other.cardIs("waiting");

  // Neither request goes out before both tabs have clicked.
  const tabs = [first.page, second.page];
  let clicked = 0;
  let release: () => void = () => {};
  const bothClicked = new Promise<void>((resolve) => (release = resolve));
  for (const tab of tabs) {
    await tab.route("**/confirm", async (route) => {
      if (++clicked === tabs.length) release();
      await bothClicked;
      await route.continue();
    });
  }
  for (const user of [one, other]) await user.card().getByRole("button", { name: "Confirm" }).click();
  await Promise.all([one.cardIs("confirmed"), other.cardIs("confirmed")]);
  await Promise.all([one.waitForStatus("INV-1044", "paid"), other.waitForStatus("INV-1044", "paid")]);

  const client = new pg.Client({ host: path.join(home, "postgres"), user: "countersign", database: "postgres" });
  await client.connect();
  const { rows } = await client.query(`
    select (select count(*)::int from countersign.tool_calls where step = 'redeem' and code is null) as redeemed,
           (select count(*)::int from countersign.messages where tool_outcome is not null) as notices,
           (select version from demo.invoices where number = 'INV-1044') as version`);
  await client.end();
  expect(rows).toEqual([{ redeemed: 1, notices: 1, version: 2 }]);
  expect([...first.complaints.all, ...second.complaints.all]).toEqual([]);
  await context.close();
});

test("a card whose invoice is edited on the host's own page runs nothing, and the next card shows the new amount", async () => {
  const { url } = await freshDemo();
  const context = await browser.newContext({ locale: "en-GB" });
  const { page, complaints } = await openPage(context);
  const user = officeUser(page, url);
  await user.signIn("Maja Lind");
  await user.ask("Mark invoice INV-1041 as paid");
  await user.cardIs("waiting");
  expect(await user.card().innerText()).toContain("€1,284.00");

  await page.getByRole("button", { name: /^Amount of INV-1041/ }).click();
  const field = page.getByRole("textbox", { name: /^New amount of INV-1041/ });
  await field.fill("1300");
  await field.press("Enter");
  await page.locator('tr[data-row="INV-1041"].changed', { hasText: "€1,300.00" }).waitFor();

  await user.card().getByRole("button", { name: "Confirm" }).click();
  await page.locator('.cs-card[data-state="changed"]').waitFor();
  await user.cardIs("waiting");
  expect(await user.card().innerText()).toContain("€1,300.00");
  expect(await user.statusOf("INV-1041")).toBe("overdue");

  await user.card().getByRole("button", { name: "Confirm" }).click();
  await user.waitForStatus("INV-1041", "paid");
  expect(complaints.all).toEqual([]);
  await context.close();
});

test("a person who only reads is offered no change, and one who acts for another finds the assistant off", async () => {
  const { url } = await freshDemo();
  const reader = await browser.newContext({ locale: "en-GB" });
  const read = await openPage(reader);
  const tom = officeUser(read.page, url);
  await tom.signIn("Tom Adeyemi");
  await tom.ask("Mark invoice INV-1041 as paid");
  await read.page.getByText("There is no tool for that here").first().waitFor();
  expect(await read.page.getByRole("button", { name: /^Amount of/ }).count()).toBe(0);
  expect(await read.page.locator(".cs-card").count()).toBe(0);
  await reader.close();

  const office = await browser.newContext({ locale: "en-GB" });
  const acting = await openPage(office);
  await officeUser(acting.page, url).signIn("Ines Duarte");
  await acting.page.getByLabel("Ines Duarte, menu").click();
  await acting.page.getByRole("button", { name: "Act as Maja Lind" }).click();
  await acting.page.getByText("Ines Duarte, you act as Maja Lind.").waitFor();
  await acting.page.getByText("The assistant does not work while").first().waitFor();
  await acting.page.getByRole("button", { name: "Stop" }).click();
  await acting.page.getByLabel("Ines Duarte, menu").waitFor();
  await office.close();
});
