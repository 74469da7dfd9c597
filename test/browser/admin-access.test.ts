import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Browser, Page } from "playwright-core";
import { sectionNames, toHash } from "../../src/react/admin/section-hash.ts";
import { patient } from "../patient.ts";
import { desk, phone, startAdminOffice, type AdminOffice } from "./admin-office.ts";
import { launchBrowser, openPage } from "./browser.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let browser: Browser;
let office: AdminOffice;
beforeAll(async () => {
  browser = await launchBrowser();
  office = await startAdminOffice(browser, { look: desk });
});
afterAll(async () => {
  await office.end();
  await browser.close();
});

/** What axe finds that is serious or critical, and whether the page is wider than its window. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: auditor } = window as unknown as { readonly axe: typeof axe };
    const { violations } = await auditor.run(document, { resultTypes: ["violations"], preload: false });
    const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const wide = document.documentElement.scrollWidth > innerWidth ? ["wider than the window"] : [];
    return [...grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`), ...wide];
  });
}

const languages = [
  ["English", "en-GB"],
  ["Russian", "ru"],
] as const;
const looks = [
  ["a desk", desk],
  ["a phone", phone],
] as const;
const cases = languages.flatMap(([language, locale]) =>
  looks.map(([where, look]) => ({ language, where, locale, look })),
);

describe("Every page, light and dark", () => {
  test.each(cases)(
    "has no serious fault that axe finds, and fits: in $language, on $where",
    async ({ locale, look }) => {
      const context = await browser.newContext({
        locale,
        reducedMotion: "reduce",
        storageState: await office.context.storageState(),
      });
      const { page, complaints } = await openPage(context, look);
      const hashes = sectionNames.map((name) => toHash(name));
      const places = [...hashes, toHash("overview", "olu"), toHash("limits", "olu"), "form"];
      for (const section of places) {
        await office.open(page, section === "form" ? toHash("endpoints") : section);
        await page.waitForLoadState("networkidle");
        if (section === "form") await page.locator(".cs-admin-head .cs-primary").click();
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          expect([section, colorScheme, await faultsOf(page)]).toEqual([section, colorScheme, []]);
        }
      }
      expect(complaints.all).toEqual([]);
      await context.close();
    },
  );
});

test.each(looks)(
  "a page that waits, and one that the server cannot answer, say so and try again: on %s",
  async (_, look) => {
    const { page } = await openPage(office.context, look);
    let answer: "hold" | "fail" | "pass" = "hold";
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assistant\/admin\//, async (route) => {
      if (answer === "hold") await held;
      if (answer === "pass") return route.continue();
      return route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        body: JSON.stringify({ type: "about:blank", title: "", status: 503, code: "unavailable", retryAfter: 5 }),
      });
    });
    await page.goto(`${office.url}/admin${toHash("journal")}`);
    await page.getByRole("status").getByText("Loading").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    answer = "fail";
    release();
    const alert = page.getByRole("alert");
    await alert.getByText("The server cannot reach its database.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    answer = "pass";
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => page.locator(".cs-sheet tbody tr").count(), patient).toBe(50);
    await page.close();
  },
);

test("an office where nothing happened yet says so on every page, in words", async () => {
  const fresh = await startAdminOffice(browser, { look: phone, history: false });
  const empty = {
    overview: "No model was called in this time.",
    endpoints: "Everybody is answered by the site's endpoint.",
    journal: "No call of a model matches.",
    calls: "No tool call matches.",
    flags: "Nothing was ever flagged.",
    turns: "Nothing runs at the moment.",
  } as const;
  for (const [section, words] of Object.entries(empty)) {
    await fresh.open(fresh.page, `#${section}`);
    await fresh.page.getByText(words).waitFor();
    expect([section, await faultsOf(fresh.page)]).toEqual([section, []]);
  }
  await fresh.end();
});

describe("By keyboard alone", () => {
  test("a link of the menu leads into its section", async () => {
    const { page } = office;
    await office.open(page, toHash("overview"));
    await page.getByRole("link", { name: "Journal" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Journal" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), patient).toBe("Journal");
  });

  test("an endpoint's form opens, keeps the focus inside, and Escape gives it back to its button", async () => {
    const { page } = office;
    await office.open(page, toHash("endpoints"));
    await page.getByRole("button", { name: "Change claude" }).focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog");
    await form.waitFor();
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press("Tab");
      // Between the last field and the first stands the browser's own bar: then the body has the focus.
      const isInside = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement === document.body || activeElement?.closest("dialog") !== null;
      });
      expect(isInside).toBe(true);
    }
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")), patient)
      .toBe("Change claude");
  });

  test("a box is switched with Space, and a list goes on with Enter", async () => {
    const { page } = office;
    await office.open(page, toHash("modules"));
    const box = page.getByRole("article", { name: "Tasks" }).getByRole("switch", { name: /may write here/ });
    await box.focus();
    await page.keyboard.press("Space");
    await expect.poll(() => box.isChecked(), patient).toBe(false);
    await office.open(page, toHash("journal"));
    const rows = page.locator(".cs-sheet tbody tr");
    await expect.poll(() => rows.count(), patient).toBe(50);
    await page.getByRole("button", { name: "Show more" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count(), patient).toBe(100);
  });
});
