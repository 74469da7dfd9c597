import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patient.ts";
import { openGallery, phone } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

/** The name of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
  });
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} cannot be reached by Tab`);
}

describe("everything works by keyboard alone", () => {
  test("a change is confirmed, and the focus stays at its card", async () => {
    const page = await gallery.show("card-confirmable");
    await tabTo(page, "Confirm");
    await page.keyboard.press("Enter");
    await page.locator(".cs-card[data-state='confirmed']").waitFor();
    expect(await page.evaluate(() => document.activeElement?.classList.contains("cs-card"))).toBe(true);
    expect(await page.locator(".cs-card").innerText()).toContain("Done");
    await page.context().close();
  });

  test("a change is turned down", async () => {
    const page = await gallery.show("card-confirmable");
    await tabTo(page, "Cancel");
    await page.keyboard.press("Space");
    await expect.poll(() => page.locator(".cs-card[data-state='rejected']").count(), patient).toBe(1);
    await page.context().close();
  });

  test("a message is written in two lines and sent with Enter", async () => {
    const page = await gallery.show("panel-empty");
    await tabTo(page, "Message");
    await page.keyboard.type("First");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".cs-question p").innerText(), patient).toBe("First\nsecond");
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
    expect(await focused(page)).toBe("Message");
    await page.context().close();
  });

  test("a chat is chosen with the arrow keys, renamed and deleted from its menu", async () => {
    const page = await gallery.show("card-waiting");
    await tabTo(page, "Invoice 2041 sent twice");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page), patient).toBe("Rename");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page), patient).toBe("Name of the chat");
    await page.keyboard.type("Late payers");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Late payers", exact: true }).waitFor();
    await page.getByRole("button", { name: "More for “Late payers”" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page), patient).toBe("Rename");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("Deleted: Late payers").waitFor();
    await tabTo(page, "Undo");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Late payers", exact: true }).waitFor();
    await page.context().close();
  });

  test("Escape closes a menu without stopping the answer, and stops the answer where nothing is open", async () => {
    const page = await gallery.show("turn-thinking");
    await tabTo(page, "More");
    await page.keyboard.press("Enter");
    await page.locator(".cs-menu:popover-open").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".cs-menu:popover-open").waitFor({ state: "detached" });
    const stops = (): Promise<number> =>
      page.evaluate(() => window.stage.assistant.asked.filter(({ path }) => path.endsWith("/stop")).length);
    expect(await focused(page)).toBe("More");
    expect(await stops()).toBe(0);
    await page.keyboard.press("Escape");
    await expect.poll(stops, patient).toBe(1);
    await page.context().close();
  });

  test("on a phone the chats open in a drawer, and the focus comes back to its button", async () => {
    const page = await gallery.show("card-waiting", { viewport: phone });
    await tabTo(page, "Show chats");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Chats" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Chats" }).waitFor({ state: "detached" });
    await expect.poll(() => focused(page), patient).toBe("Show chats");
    await page.context().close();
  });
});

test("what happens is said to those who hear the page, once it stands", async () => {
  const page = await gallery.show("card-confirmable");
  await page.getByRole("button", { name: "Confirm" }).click();
  const said = page.locator(".cs-panel > [role='status']");
  await expect.poll(() => said.textContent(), patient).toBe("Void invoice: Done");
  await page.context().close();
});
