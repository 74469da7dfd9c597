import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Browser, Page } from "playwright-core";
import { createHome, startDemoProcess } from "../demo/demo-process.ts";
import { patient } from "../patient.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { officeUser } from "./office.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let browser: Browser;
let url = "";
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  const { home, remove } = await createHome();
  ends.push(remove);
  const demo = await startDemoProcess({ COUNTERSIGN_HOME: home });
  ends.push(() => demo.end());
  if (demo.url === null) throw new Error(demo.output());
  url = demo.url;
});

afterAll(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

/** The name of what has the focus; nothing else is ever touched. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "";
    return (element.getAttribute("aria-label") ?? element.textContent).trim();
  });
}

async function tabTo(page: Page, name: string | RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const seen: string[] = [];
  for (let steps = 0; steps < 120; steps += 1) {
    const now = await focused(page);
    if (typeof name === "string" ? now === name : name.test(now)) return;
    seen.push(now);
    await page.keyboard.press(key);
  }
  throw new Error(`${String(name)} cannot be reached by ${key}; on the way: ${seen.join(" | ")}`);
}

/** On a phone the demo shows its tables or the assistant. */
async function toAssistant(page: Page, { width }: { readonly width: number }): Promise<void> {
  if (width > 700) return;
  await tabTo(page, "Assistant");
  await page.keyboard.press("Enter");
}

describe.each([
  ["at a desk", { width: 1_280, height: 820 }, "INV-1042"],
  ["on a phone", { width: 390, height: 780 }, "INV-1044"],
] as const)("without a mouse, %s", (_name, size, invoice) => {
  test("a person signs in, asks, confirms a change, and finds the chat again", async () => {
    const context = await browser.newContext({ locale: "en-GB" });
    const { page } = await openPage(context, size);
    const user = officeUser(page, url);
    await page.goto(url);
    await page.getByRole("button", { name: "Maja Lind" }).waitFor();
    await tabTo(page, /Maja Lind/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Invoices" }).waitFor();
    await toAssistant(page, size);

    await tabTo(page, "Message");
    const text = `Mark invoice ${invoice} as paid`;
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await user.cardIs("waiting");
    expect(await focused(page)).toBe("Message");
    await tabTo(page, "Confirm", "Shift+Tab");
    await page.keyboard.press("Space");
    await user.cardIs("confirmed");
    // The buttons went: the focus is on the card that says what became of it.
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-state"))).toBe("confirmed");
    await expect.poll(() => user.statusOf(invoice), patient).toBe("paid");

    await tabTo(page, "New chat", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText(/What can I do for you/).waitFor();
    await tabTo(page, /^(Show chats)$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Chats" });
    await drawer.waitFor();
    // The focus went in, and Tab does not lead out to the page behind.
    for (let steps = 0; steps < 30; steps += 1) {
      await page.keyboard.press("Tab");
      const isOut = await page.evaluate(
        () => document.activeElement !== document.body && document.activeElement?.closest("dialog") === null,
      );
      expect(isOut).toBe(false);
    }
    await tabTo(page, text);
    await page.keyboard.press("Enter");
    await drawer.waitFor({ state: "detached" });
    await user.cardIs("confirmed");
    await context.close();
  });

  test("a dialog takes the focus, keeps it, and gives it back; so does a menu", async () => {
    const context = await browser.newContext({ locale: "en-GB" });
    const { page } = await openPage(context, size);
    await page.goto(url);
    await page.getByRole("button", { name: "Maja Lind" }).click();
    await page.getByRole("heading", { name: "Invoices" }).waitFor();
    await toAssistant(page, size);
    await tabTo(page, "More");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page), patient).toBe("My assistant");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page), patient).toBe("More");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page), patient).toBe("My assistant");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "My assistant" });
    await dialog.waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), patient).toBe("TEXTAREA");
    for (let steps = 0; steps < 8; steps += 1) {
      await page.keyboard.press("Tab");
      const isOut = await page.evaluate(
        () => document.activeElement !== document.body && document.activeElement?.closest("dialog") === null,
      );
      expect(isOut).toBe(false);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => focused(page), patient).toBe("More");
    await context.close();
  });
});
