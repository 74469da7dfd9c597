import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Browser, Page } from "playwright-core";
import { toHash } from "../../src/react/admin/section-hash.ts";
import { patient } from "../patient.ts";
import { desk, phone, startAdminOffice, type AdminOffice } from "./admin-office.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { officeUser } from "./office.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each([
  ["a desk, in light", desk],
  ["a phone, in dark", phone],
] as const)("On %s", (_, look) => {
  let office: AdminOffice;
  let url: string;
  let page: Page;
  const open = (hash: string): Promise<void> => office.open(page, hash);
  beforeAll(async () => {
    office = await startAdminOffice(browser, { look });
    ({ url, page } = office);
  });
  afterAll(() => office.end());

  test("the way to the pages is shown to who may manage, and to nobody else; the page itself leads others back", async () => {
    await page.goto(url);
    await page.locator(".menu summary").click();
    await page.getByRole("link", { name: "The assistant's administration" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    const maja = await office.enter("Maja Lind");
    await maja.page.locator(".menu summary").click();
    expect(await maja.page.getByRole("link", { name: "administration" }).count()).toBe(0);
    await maja.page.goto(`${url}/admin`);
    expect(new URL(maja.page.url()).pathname).toBe("/");
    const status = await maja.page.evaluate(async () => (await fetch("/assistant/admin/overview")).status);
    expect(status).toBe(403);
    await maja.context.close();
  });

  test("an administrator sees what the assistant cost, by day and by user, with a table behind each drawing", async () => {
    await open(toHash("overview"));
    const chart = page.getByRole("figure", { name: "Cost by day" });
    await chart.locator("rect[data-tone]").first().waitFor();
    expect(await chart.locator("rect[data-tone]").count()).toBeGreaterThan(20);
    await chart.getByText("As a table").click();
    expect(await chart.locator("tbody tr").count()).toBe(30);
    await page.getByRole("radio", { name: "7 days" }).check();
    await expect.poll(() => chart.locator("tbody tr").count(), patient).toBe(7);
    expect(await page.getByRole("region", { name: "By user" }).innerText()).toContain("Maja Lind");
    expect(office.complaints.all).toEqual([]);
  });

  test("a module's box is switched off, and the next confirm of another user is refused and changes nothing", async () => {
    const desktop = await office.enter("Maja Lind");
    const maja = officeUser(desktop.page, url);
    await maja.ask("Mark invoice INV-1042 as paid");
    await maja.cardIs("waiting");

    await open(toHash("modules"));
    const box = page
      .getByRole("article", { name: "Billing" })
      .getByRole("switch", { name: /The assistant may write here/ });
    expect(await box.isChecked()).toBe(true);
    await box.click();
    await expect.poll(() => box.isChecked(), patient).toBe(false);
    await page.getByText("set by an administrator").waitFor();

    await maja.card().getByRole("button", { name: "Confirm" }).click();
    await desktop.page
      .getByText("The assistant may not change anything in this part of the application.")
      .first()
      .waitFor();
    expect(await maja.statusOf("INV-1042")).toBe("overdue");

    await page.getByRole("button", { name: "Back to the application's own" }).click();
    await expect.poll(() => box.isChecked(), patient).toBe(true);
    await desktop.context.close();
  });

  test("a budget is set for the site, and another administrator's newer value is shown and not overwritten", async () => {
    await open(toHash("limits"));
    const field = page.getByRole("spinbutton", { name: "The site, a day" });
    await field.fill("3.5");

    const other = await openPage(office.context, look);
    await office.open(other.page, toHash("limits"));
    const theirs = other.page.getByRole("spinbutton", { name: "The site, a day" });
    await theirs.fill("4");
    await other.page.getByRole("button", { name: "Save" }).click();
    await other.page.getByText("Saved.").first().waitFor();
    await other.page.close();

    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Meanwhile somebody set it to $4.00.").waitFor();
    expect(await field.inputValue()).toBe("3.5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").first().waitFor();
    await page.reload();
    await expect.poll(() => field.inputValue(), patient).toBe("3.5");
    await open(toHash("overview"));
    await page.getByText("of a budget of $3.50").waitFor();
  });

  test("an endpoint is made, changed, switched off and deleted; an inward address is refused in words", async () => {
    await open(toHash("endpoints"));
    await page.getByRole("button", { name: "New endpoint" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: false }).first().fill("extra");
    await form.getByLabel("Provider").selectOption("openai-compatible");
    await form.getByLabel("Model", { exact: true }).fill("small");
    await form.getByLabel("Address").fill("http://192.168.1.9/v1");
    await form.getByLabel("Where the key comes from").selectOption("none");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("This address lies inside a private network").waitFor();
    await form.getByLabel("Address").fill("https://models.example.com/v1");
    await form.getByRole("button", { name: "Save" }).click();
    const extra = page.getByRole("article", { name: "extra" });
    await extra.getByText("ready").waitFor();
    await extra.getByRole("button", { name: "Switch off" }).click();
    await extra.getByText("off", { exact: true }).waitFor();
    await extra.getByRole("button", { name: "Delete" }).click();
    await extra.getByRole("button", { name: "Delete" }).click();
    await extra.waitFor({ state: "detached" });
    expect(await page.getByRole("article").count()).toBe(3);
  });

  test("an endpoint is tried, and the page says whether it answers", async () => {
    await open(toHash("endpoints"));
    await page.getByRole("button", { name: "Try demo" }).click();
    const told = page.getByRole("article", { name: "demo" }).getByRole("status");
    await expect.poll(() => told.innerText(), patient).toContain("It answers: The demo model");
  });

  test("the journal goes on page by page, is filtered, and its file holds what the filter takes", async () => {
    await open(toHash("journal"));
    const rows = page.locator(".cs-sheet tbody tr");
    await expect.poll(() => rows.count(), patient).toBe(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count(), patient).toBe(100);
    await page.getByLabel("Status").selectOption("trouble");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect.poll(() => rows.first().innerText(), patient).toMatch(/failed|refused/);
    const downloaded = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download as CSV" }).click();
    const stream = await (await downloaded).createReadStream();
    let file = "";
    for await (const piece of stream) file += String(piece);
    const lines = file.trimEnd().split("\r\n").slice(1);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.every((line) => /,(error|refused|lost),/.test(line))).toBe(true);
  });

  test("a suspended user's flags are cleared", async () => {
    await open(toHash("flags"));
    await page.getByText("suspended", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear the flags of olu" }).click();
    await page.getByText("The flags of olu no longer count.").first().waitFor();
    await expect.poll(() => page.getByText("suspended", { exact: true }).count(), patient).toBe(0);
  });

  test("one user's calls are shown alone, from the table of users and from what is set for them", async () => {
    await open(toHash("overview"));
    await page.getByRole("link", { name: "Tom Adeyemi by day" }).click();
    await page.getByText("Only the calls of").waitFor();
    const calls = page.locator(".cs-figure", { hasText: "Calls of models" }).locator("dd").first();
    await expect.poll(() => calls.innerText(), patient).toBe("160");
    await page.getByRole("link", { name: "Tom Adeyemi" }).click();
    await page.getByRole("heading", { name: "Limits and budgets" }).waitFor();
    const theirs = page.getByRole("navigation", { name: "Of this user" });
    await theirs.getByRole("link", { name: "Journal" }).click();
    await page.getByRole("heading", { name: "Journal" }).waitFor();
    await expect.poll(() => page.getByRole("row", { name: /Tom Adeyemi/ }).count(), patient).toBe(50);
    expect(await page.getByRole("row", { name: /Maja Lind/ }).count()).toBe(0);
  });

  test("a drawing is walked by the arrow keys, and says each day in words", async () => {
    await open(toHash("overview"));
    const drawing = page.getByRole("slider", { name: "Calls by day" });
    await drawing.focus();
    await page.keyboard.press("Home");
    const first = await drawing.getAttribute("aria-valuetext");
    expect(first).toMatch(/^\d+ \w+: Went well \d+ · Failed \d+$/);
    await page.keyboard.press("ArrowRight");
    expect(await drawing.getAttribute("aria-valuenow")).toBe("1");
    const second = await drawing.getAttribute("aria-valuetext");
    expect(second).not.toBe(first);
    expect(await page.getByRole("figure", { name: "Calls by day" }).locator("figcaption").innerText()).toContain(
      second,
    );
  });

  test("tool calls are filtered by what was done, and a row says all of its columns", async () => {
    await open(toHash("calls"));
    const rows = page.locator(".cs-sheet tbody tr");
    await expect.poll(() => rows.count(), patient).toBe(50);
    await page.getByLabel("Step").selectOption("redeem");
    await page.getByLabel("Outcome").selectOption("refused");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect
      .poll(() => rows.first().innerText(), patient)
      .toMatch(/confirmed[\s\S]*(forbidden|rate_limited|writes_off)/);
    const first = page.getByRole("region", { name: "Tool calls" }).getByRole("row").nth(1);
    expect(await first.getByRole("cell").count()).toBe(7);
    expect(await page.getByRole("columnheader", { name: "Took" }).count()).toBe(1);
    const box = await page.locator(".cs-sheet").evaluate((sheet) => [sheet.scrollWidth, sheet.clientWidth]);
    expect(box[0]).toBe(box[1]);
  });

  test("a running turn is stopped, and reads as stopping until its node obeys", async () => {
    await office.leaveTurnRunning();
    await open(toHash("turns"));
    await page.getByRole("button", { name: "Stop the turn of maja-at-work" }).click();
    await page.getByText("is stopping").waitFor();
    expect(await page.getByRole("button", { name: "Stop the turn of maja-at-work" }).isDisabled()).toBe(true);
  });
});
