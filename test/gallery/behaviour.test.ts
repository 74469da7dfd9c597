import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openGallery, phone } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

describe("nothing is lost", () => {
  test("what was typed is there after the page was loaded anew, in its own chat", async () => {
    const page = await gallery.show("card-waiting");
    await page.getByRole("textbox", { name: "Message" }).fill("And remind Blue Yonder");
    await gallery.turnTo(page, "card-waiting", "keep");
    const field = page.getByRole("textbox", { name: "Message" });
    await expect.poll(() => field.inputValue()).toBe("And remind Blue Yonder");
    await page.getByRole("button", { name: "New chat" }).first().click();
    await expect.poll(() => field.inputValue()).toBe("");
    await page.getByRole("button", { name: "Invoice 2041 sent twice", exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe("And remind Blue Yonder");
    await page.context().close();
  });

  test("a click on Stop never sends what was typed", async () => {
    const page = await gallery.show("turn-thinking");
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("Next question");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.evaluate(() =>
      window.stage.assistant.tell("c1", { type: "turn_ended", turnId: "t9", how: "stopped", asked: true }),
    );
    await page.getByRole("button", { name: "Send" }).waitFor();
    expect(await field.inputValue()).toBe("Next question");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    const asked = await page.evaluate(() => window.stage.assistant.asked.filter(({ path }) => path.endsWith("/turns")));
    expect(asked).toEqual([]);
    await page.context().close();
  });

  test("Enter that ends a composition chooses a word and sends nothing", async () => {
    const page = await gallery.show("panel-empty");
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("日本");
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
    expect(await field.inputValue()).toBe("日本");
    await page.context().close();
  });

  test("a waiting change is found however far back it is", async () => {
    const page = await gallery.show("thread-long");
    await page.getByRole("button", { name: /1 change waits for you/ }).click();
    const card = page.locator(".cs-card[data-state='waiting']");
    await card.waitFor();
    await expect.poll(async () => (await card.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    await page.locator(".cs-waiting").waitFor({ state: "detached" });
    await page.context().close();
  });

  test("a deleted chat can be taken back", async () => {
    const page = await gallery.show("card-waiting");
    await page.getByRole("button", { name: "More for “Who has not logged hours?”" }).click({ force: true });
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    const back = page.getByRole("button", { name: "Who has not logged hours?", exact: true });
    await expect.poll(() => back.count()).toBe(1);
    await page.context().close();
  });
});

test("however long the chat, the page holds only the rows in sight", async () => {
  const page = await gallery.show("thread-long");
  expect(await page.locator(".cs-row").count()).toBeLessThan(30);
  await page.context().close();
});

describe("the element on a page without React", () => {
  test("works in a shadow root of its own under a strict policy, and tells its page what was confirmed", async () => {
    const page = await gallery.openPage({});
    await page.goto(`${gallery.url}/element.html`);
    const confirm = page.getByRole("button", { name: "Confirm" });
    await confirm.waitFor();
    expect(await page.locator("countersign-panel").evaluate((element) => element.shadowRoot !== null)).toBe(true);
    const told = page.evaluate(
      () =>
        new Promise((resolve) =>
          addEventListener("confirmed", (event) => resolve((event as CustomEvent<{ tool: string }>).detail.tool)),
        ),
    );
    await confirm.focus();
    await page.keyboard.press("Enter");
    expect(await told).toBe("billing.invoice_void");
    expect(await gallery.faults(page)).toEqual([]);
    await page.context().close();
  });

  test("goes on when it is moved in the page", async () => {
    const page = await gallery.openPage({ viewport: phone });
    await page.goto(`${gallery.url}/element.html`);
    await page.getByRole("textbox", { name: "Message" }).fill("Half a thought");
    await page.evaluate(() => {
      const element = document.querySelector("countersign-panel");
      const box = document.createElement("div");
      document.body.append(box);
      if (element) box.append(element);
    });
    await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("Half a thought");
    expect(await gallery.faults(page)).toEqual([]);
    await page.context().close();
  });
});
