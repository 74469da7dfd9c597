import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Browser, Locator, Page } from "playwright-core";
import { toHash } from "../../src/react/admin/section-hash.ts";
import { patient } from "../patient.ts";
import { desk, phone, startAdminOffice, type AdminOffice } from "./admin-office.ts";
import { launchBrowser, openPage } from "./browser.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each([
  ["a desk, in dark", { ...desk, colorScheme: "dark" as const }],
  ["a phone, in light", { ...phone, colorScheme: "light" as const }],
])("On %s", (_, look) => {
  let office: AdminOffice;
  let page: Page;
  const open = (hash: string): Promise<void> => office.open(page, hash);
  const box = (name: string): Locator => page.getByRole("article", { name, exact: true });
  /** The same administrator in a second window. */
  const openOther = async (hash: string): Promise<Page> => {
    const other = await openPage(office.context, look);
    await office.open(other.page, hash);
    return other.page;
  };
  beforeAll(async () => {
    office = await startAdminOffice(browser, {
      look,
      environment: {
        COUNTERSIGN_SECRET: "a secret of at least thirty-two characters",
        KEY_OF_TESTS: "k",
        COUNTERSIGN_CREDENTIAL_VARIABLES: "KEY_OF_TESTS",
      },
    });
    ({ page } = office);
  });
  afterAll(() => office.end());

  test("an endpoint is made with its key's variable and its prices, and a price is changed", async () => {
    await open(toHash("endpoints"));
    await page.getByRole("button", { name: "New endpoint" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("priced");
    await form.getByLabel("Model", { exact: true }).fill("gpt-5-mini");
    await form.getByLabel("Name of the variable").fill("KEY_OF_TESTS");
    await form.getByLabel("Input, $ per million tokens").fill("0.25");
    await form.getByLabel("Output, $ per million tokens").fill("2");
    await form.getByRole("button", { name: "Save" }).click();
    await box("priced").getByText("from KEY_OF_TESTS").waitFor();
    await box("priced").getByText("$0.25 in, $2.00 out").waitFor();
    await box("priced").getByText("ready").waitFor();
    await page.getByRole("button", { name: "Change priced" }).click();
    await form.getByLabel("Output, $ per million tokens").fill("3");
    await form.getByRole("button", { name: "Save" }).click();
    await box("priced").getByText("$0.25 in, $3.00 out").waitFor();
    expect(await box("priced").getByText("from KEY_OF_TESTS").count()).toBe(1);
  });

  test("a form opened earlier shows another administrator's newer values and keeps what was typed in it", async () => {
    await open(toHash("endpoints"));
    await page.getByRole("button", { name: "Change claude" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Context, tokens").fill("150000");
    const other = await openOther(toHash("endpoints"));
    await other.getByRole("button", { name: "Change claude" }).click();
    await other.getByRole("dialog").getByLabel("Model", { exact: true }).fill("claude-newer");
    await other.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await other.getByRole("dialog").waitFor({ state: "detached" });
    await other.close();
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Somebody else changed it meanwhile.").waitFor();
    expect(await form.getByLabel("Model", { exact: true }).inputValue()).toBe("claude-newer");
    expect(await form.getByLabel("Context, tokens").inputValue()).toBe("150000");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await box("claude").getByText("claude-newer").waitFor();
  });

  test("a key that is entered is sealed: the page never has it again, and a change keeps it", async () => {
    await open(toHash("endpoints"));
    await page.getByRole("button", { name: "New endpoint" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("sealed");
    await form.getByLabel("Model", { exact: true }).fill("gpt-5-mini");
    await form.getByLabel("Where the key comes from").selectOption("value");
    const key = form.getByLabel("Key", { exact: true });
    expect(await key.getAttribute("type")).toBe("password");
    await key.fill("sk-planted-4711");
    const heard: Promise<string>[] = [];
    page.on("response", (response) => void heard.push(response.text().catch(() => "")));
    await form.getByRole("button", { name: "Save" }).click();
    await box("sealed").getByText("stored, sealed").waitFor();
    await page.getByRole("button", { name: "Change sealed" }).click();
    expect(await form.getByLabel("Where the key comes from").inputValue()).toBe("keep");
    await form.getByLabel("Model", { exact: true }).fill("gpt-5");
    await form.getByRole("button", { name: "Save" }).click();
    await box("sealed").getByText("gpt-5", { exact: true }).waitFor();
    await box("sealed").getByText("stored, sealed").waitFor();
    expect(heard.length).toBeGreaterThan(0);
    expect(
      [...(await Promise.all(heard)), await page.content()].filter((text) => text.includes("planted-4711")),
    ).toEqual([]);
  });

  test("a module that somebody else switched meanwhile shows how it stands, and is not switched over it", async () => {
    await open(toHash("modules"));
    const mine = box("Tasks").getByRole("switch", { name: /^On/ });
    const other = await openOther(toHash("modules"));
    await other
      .getByRole("article", { name: "Tasks" })
      .getByRole("switch", { name: /may write here/ })
      .click();
    await other.getByText("set by an administrator").waitFor();
    await other.getByRole("article", { name: "Tasks" }).getByRole("switch", { name: /^On/ }).click();
    await expect.poll(() => other.getByText("set by an administrator").count(), patient).toBe(2);
    await other.close();
    await mine.click();
    await box("Tasks").getByText("Somebody else switched this meanwhile.").waitFor();
    expect(await mine.isChecked()).toBe(false);
    await mine.click();
    await expect.poll(() => mine.isChecked(), patient).toBe(true);
  });

  test("a user's own budget is set, and taken back", async () => {
    await open(toHash("limits"));
    await page.getByText("One user").click();
    await page.getByText("Name a user to see what is set for them.").waitFor();
    await page.getByLabel("User's id").fill("olu");
    await page.getByRole("button", { name: "Open" }).click();
    const field = page.getByRole("spinbutton", { name: "A user, a day" });
    await field.fill("0.75");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").first().waitFor();
    await page.reload();
    await expect.poll(() => field.inputValue(), patient).toBe("0.75");
    await page.getByRole("button", { name: "Take back: A user, a day" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").first().waitFor();
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe("");
  });

  test("what no server takes is told at its field or in words, and nothing typed is lost", async () => {
    await open(toHash("limits"));
    const field = page.getByRole("spinbutton", { name: "The site, a month" });
    await field.fill("-1");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await field.evaluate((input: HTMLInputElement) => input.validity.rangeUnderflow)).toBe(true);
    expect(await field.inputValue()).toBe("-1");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await field.inputValue()).toBe("20");
  });

  test("the journal is filtered by days and a model, and the filter is cleared", async () => {
    await open(toHash("journal"));
    const rows = page.locator(".cs-sheet tbody tr");
    await expect.poll(() => rows.count(), patient).toBe(50);
    await page.getByLabel("Model").fill("claude-sonnet-5");
    await page.getByLabel("From").fill(new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10));
    await page.getByLabel("To", { exact: true }).fill(new Date().toISOString().slice(0, 10));
    await page.getByRole("button", { name: "Filter" }).click();
    const models = async (): Promise<readonly boolean[]> =>
      Promise.all(
        [/claude-sonnet-5/, /gpt-5-mini/].map(async (name) => (await page.getByRole("cell", { name }).count()) > 0),
      );
    await expect.poll(models, patient).toEqual([true, false]);
    expect(await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href")).toContain(
      "model=claude-sonnet-5",
    );
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => rows.count(), patient).toBe(50);
  });
});
