import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { sectionNames, toHash } from "../../src/react/admin/section-hash.ts";
import { writeOfficeHistory } from "../admin/office-history.ts";
import { createHome, startDemoProcess, type DemoProcess } from "../demo/demo-process.ts";
import { patient } from "../patient.ts";
import { launchBrowser, openPage, type Complaints } from "./browser.ts";
import { officeUser } from "./office.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let browser: Browser;
let demo: DemoProcess;
let url: string;
let ines: { readonly context: BrowserContext; readonly page: Page; readonly complaints: Complaints };
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const { home, remove } = await createHome();
  ends.push(remove);
  demo = await startDemoProcess({ COUNTERSIGN_HOME: home });
  ends.push(() => demo.end());
  if (demo.url === null) throw new Error(demo.output());
  url = demo.url;
  await writeOfficeHistory(home);
  browser = await launchBrowser();
  ends.push(() => browser.close());
  const context = await browser.newContext({ locale: "en-GB" });
  const { page, complaints } = await openPage(context);
  await officeUser(page, url).signIn("Ines Duarte");
  ines = { context, page, complaints };
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

async function open(page: Page, hash: string): Promise<void> {
  await page.goto(`${url}/admin`);
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.locator(".cs-admin-main h1").waitFor();
  await page.locator(".cs-wait").first().waitFor({ state: "detached" });
}

describe("The way to the pages", () => {
  test("is shown to who may manage, and to nobody else; the page itself leads others back", async () => {
    await ines.page.goto(url);
    await ines.page.locator(".menu summary").click();
    await ines.page.getByRole("link", { name: "The assistant's administration" }).click();
    await ines.page.getByRole("heading", { name: "Overview" }).waitFor();

    const context = await browser.newContext({ locale: "en-GB" });
    const { page } = await openPage(context);
    await officeUser(page, url).signIn("Maja Lind");
    await page.locator(".menu summary").click();
    expect(await page.getByRole("link", { name: "administration" }).count()).toBe(0);
    await page.goto(`${url}/admin`);
    expect(new URL(page.url()).pathname).toBe("/");
    const status = await page.evaluate(async () => (await fetch("/assistant/admin/overview")).status);
    expect(status).toBe(403);
    await context.close();
  });
});

test("an administrator sees what the assistant cost, by day and by user, with a table behind each drawing", async () => {
  await open(ines.page, toHash("overview"));
  const chart = ines.page.getByRole("figure", { name: "Cost by day" });
  await chart.locator("rect[data-tone]").first().waitFor();
  expect(await chart.locator("rect[data-tone]").count()).toBeGreaterThan(20);
  await chart.getByText("As a table").click();
  expect(await chart.locator("tbody tr").count()).toBe(30);
  await ines.page.getByRole("radio", { name: "7 days" }).check();
  await expect.poll(() => chart.locator("tbody tr").count(), patient).toBe(7);
  expect(await ines.page.getByRole("region", { name: "By user" }).innerText()).toContain("Maja Lind");
  expect(ines.complaints.all).toEqual([]);
});

test("a module's box is switched off, and the next confirm of another user is refused and changes nothing", async () => {
  const context = await browser.newContext({ locale: "en-GB" });
  const { page } = await openPage(context);
  const maja = officeUser(page, url);
  await maja.signIn("Maja Lind");
  await maja.ask("Mark invoice INV-1042 as paid");
  await maja.cardIs("waiting");

  await open(ines.page, toHash("modules"));
  const box = ines.page
    .getByRole("article", { name: "Billing" })
    .getByRole("switch", { name: /The assistant may write here/ });
  expect(await box.isChecked()).toBe(true);
  await box.click();
  await expect.poll(() => box.isChecked(), patient).toBe(false);
  await ines.page.getByText("set by an administrator").waitFor();

  await maja.card().getByRole("button", { name: "Confirm" }).click();
  await page.getByText("The assistant may not change anything in this part of the application.").first().waitFor();
  expect(await maja.statusOf("INV-1042")).toBe("overdue");

  await ines.page.getByRole("button", { name: "Back to the application's own" }).click();
  await expect.poll(() => box.isChecked(), patient).toBe(true);
  await context.close();
});

test("a budget is set for the site, and another administrator's newer value is shown and not overwritten", async () => {
  await open(ines.page, toHash("limits"));
  const field = ines.page.getByRole("spinbutton", { name: "The site, a day" });
  await field.fill("3.5");

  const other = await openPage(ines.context);
  await open(other.page, toHash("limits"));
  const theirs = other.page.getByRole("spinbutton", { name: "The site, a day" });
  await theirs.fill("4");
  await other.page.getByRole("button", { name: "Save" }).click();
  await other.page.getByText("Saved.").first().waitFor();
  await other.page.close();

  await ines.page.getByRole("button", { name: "Save" }).click();
  await ines.page.getByText("Meanwhile somebody set it to $4.00.").waitFor();
  expect(await field.inputValue()).toBe("3.5");
  await ines.page.getByRole("button", { name: "Save" }).click();
  await ines.page.getByText("Saved.").first().waitFor();
  await ines.page.reload();
  await expect.poll(() => field.inputValue(), patient).toBe("3.5");
  await open(ines.page, toHash("overview"));
  await ines.page.getByText("of a budget of $3.50").waitFor();
});

test("an endpoint is made, changed, switched off and deleted; an inward address is refused in words", async () => {
  await open(ines.page, toHash("endpoints"));
  await ines.page.getByRole("button", { name: "New endpoint" }).click();
  const form = ines.page.getByRole("dialog");
  await form.getByLabel("Name", { exact: false }).first().fill("extra");
  await form.getByLabel("Provider").selectOption("openai-compatible");
  await form.getByLabel("Model", { exact: true }).fill("small");
  await form.getByLabel("Address").fill("http://192.168.1.9/v1");
  await form.getByLabel("Where the key comes from").selectOption("none");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("This address lies inside a private network").waitFor();
  await form.getByLabel("Address").fill("https://models.example.com/v1");
  await form.getByRole("button", { name: "Save" }).click();
  const extra = ines.page.getByRole("article", { name: "extra" });
  await extra.getByText("ready").waitFor();
  await extra.getByRole("button", { name: "Switch off" }).click();
  await extra.getByText("off", { exact: true }).waitFor();
  await extra.getByRole("button", { name: "Delete" }).click();
  await extra.getByRole("button", { name: "Delete" }).click();
  await extra.waitFor({ state: "detached" });
  expect(await ines.page.getByRole("article").count()).toBe(3);
});

test("an endpoint is tried, and the page says whether it answers", async () => {
  await open(ines.page, toHash("endpoints"));
  await ines.page.getByRole("button", { name: "Try demo" }).click();
  const told = ines.page.getByRole("article", { name: "demo" }).getByRole("status");
  await expect.poll(() => told.innerText(), patient).toContain("It answers: The demo model");
});

test("the journal goes on page by page, is filtered, and its file holds what the filter takes", async () => {
  await open(ines.page, toHash("journal"));
  const rows = ines.page.locator(".cs-sheet tbody tr");
  await expect.poll(() => rows.count(), patient).toBe(50);
  await ines.page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => rows.count(), patient).toBe(100);
  await ines.page.getByLabel("Status").selectOption("trouble");
  await ines.page.getByRole("button", { name: "Filter" }).click();
  await expect.poll(() => rows.first().innerText(), patient).toMatch(/failed|refused/);
  const downloaded = ines.page.waitForEvent("download");
  await ines.page.getByRole("link", { name: "Download as CSV" }).click();
  const stream = await (await downloaded).createReadStream();
  let file = "";
  for await (const piece of stream) file += String(piece);
  const lines = file.trimEnd().split("\r\n").slice(1);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.every((line) => /,(error|refused|lost),/.test(line))).toBe(true);
});

test("a suspended user's flags are cleared", async () => {
  await open(ines.page, toHash("flags"));
  await ines.page.getByText("suspended", { exact: true }).waitFor();
  await ines.page.getByRole("button", { name: "Clear the flags of olu" }).click();
  await ines.page.getByText("The flags of olu no longer count.").first().waitFor();
  await expect.poll(() => ines.page.getByText("suspended", { exact: true }).count(), patient).toBe(0);
});

describe("Every page, in light and dark, on a desk and on a phone", () => {
  test.each(["light", "dark"] as const)("has no serious fault that axe finds: %s", async (colorScheme) => {
    await ines.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [1_280, 390]) {
      await ines.page.setViewportSize({ width, height: 840 });
      for (const section of sectionNames) {
        await open(ines.page, toHash(section));
        await ines.page.waitForLoadState("networkidle");
        await ines.page.evaluate(axe.source);
        const faults = await ines.page.evaluate(async () => {
          const { axe: auditor } = window as unknown as { readonly axe: typeof axe };
          const { violations } = await auditor.run(document, { resultTypes: ["violations"], preload: false });
          return violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
        });
        expect([section, width, faults]).toEqual([section, width, []]);
        const tooWide = await ines.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect([section, width, tooWide]).toEqual([section, width, false]);
      }
    }
    expect(ines.complaints.all).toEqual([]);
  });

  test("is walked by keyboard: a link of the menu leads into its section", async () => {
    await ines.page.setViewportSize({ width: 1_280, height: 840 });
    await open(ines.page, toHash("overview"));
    await ines.page.getByRole("link", { name: "Journal" }).focus();
    await ines.page.keyboard.press("Enter");
    await ines.page.getByRole("heading", { name: "Journal" }).waitFor();
    await expect.poll(() => ines.page.evaluate(() => document.activeElement?.textContent), patient).toBe("Journal");
  });
});
