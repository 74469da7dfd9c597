import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patient.ts";
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
    await expect.poll(() => field.inputValue(), patient).toBe("And remind Blue Yonder");
    await page.getByRole("button", { name: "New chat" }).first().click();
    await expect.poll(() => field.inputValue(), patient).toBe("");
    await page.getByRole("button", { name: "Invoice 2041 sent twice", exact: true }).click();
    await expect.poll(() => field.inputValue(), patient).toBe("And remind Blue Yonder");
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
    await expect.poll(async () => (await card.boundingBox())?.y ?? -1, patient).toBeGreaterThan(0);
    await page.locator(".cs-waiting").waitFor({ state: "detached" });
    await page.context().close();
  });

  test("a deleted chat can be taken back", async () => {
    const page = await gallery.show("card-waiting");
    await page.getByRole("button", { name: "More for “Who has not logged hours?”" }).click({ force: true });
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    const back = page.getByRole("button", { name: "Who has not logged hours?", exact: true });
    await expect.poll(() => back.count(), patient).toBe(1);
    await page.context().close();
  });
});

describe("files", () => {
  const file = { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from("a;b") };

  test("are sent with the message, once they were read", async () => {
    const page = await gallery.show("card-waiting");
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles([file, { ...file, name: "terms.txt" }]);
    const waiting = page.locator(".cs-composer .cs-file[data-state='ready']");
    await expect.poll(() => waiting.count(), patient).toBe(2);
    await page.getByRole("button", { name: "Remove terms.txt" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill("What changed?");
    await page.getByRole("button", { name: "Send" }).click();
    const sent = page.locator(".cs-question", { hasText: "What changed?" });
    await expect.poll(() => sent.getByRole("link", { name: "Download prices.csv" }).count(), patient).toBe(1);
    await expect.poll(() => page.locator(".cs-composer .cs-file").count(), patient).toBe(0);
    await page.context().close();
  });

  test("can be dropped anywhere on the chat; text that is dropped is left alone", async () => {
    const page = await gallery.show("card-waiting");
    const drop = (kind: "file" | "text"): Promise<void> =>
      page.locator(".cs-thread").evaluate((thread, what) => {
        const dragged = new DataTransfer();
        if (what === "file") dragged.items.add(new File(["x"], "prices.csv"));
        else dragged.setData("text/plain", "words");
        for (const name of ["dragenter", "dragover", "drop"]) {
          thread.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: dragged }));
        }
      }, kind);
    await drop("text");
    expect(await page.locator(".cs-file").count()).toBe(0);
    await drop("file");
    await expect.poll(() => page.locator(".cs-file").count(), patient).toBe(1);
    expect(await page.locator(".cs-drop").count()).toBe(0);
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
    await expect
      .poll(() => page.getByRole("textbox", { name: "Message" }).inputValue(), patient)
      .toBe("Half a thought");
    expect(await gallery.faults(page)).toEqual([]);
    await page.context().close();
  });
});
