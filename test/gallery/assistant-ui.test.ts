import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Page } from "playwright-core";
import { answer, notice, userMessage } from "../fixtures.ts";
import { patient } from "../patient.ts";
import { openGallery, type Gallery } from "./open-gallery.ts";
import { settled, toVoidCard } from "./scene-data.ts";

// A build and a browser: a busy machine takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
});
afterAll(() => gallery.close());

async function open(chat: string): Promise<Page> {
  const page = await gallery.openPage({});
  await page.goto(`${gallery.url}/assistant-ui.html?chat=${chat}`);
  return page;
}

const asked = (page: Page, path: string): Promise<number> =>
  page.evaluate((end) => window.stage.assistant.asked.filter((one) => one.path.endsWith(end)).length, path);

test("a card stands in a thread of assistant-ui with its buttons, and its click is our client's", async () => {
  const page = await open("c1");
  const card = page.locator(".cs-card[data-state='waiting']");
  await card.getByText("Void invoice").first().waitFor();
  expect(await card.getByText("Amount due").count()).toBe(1);
  expect(await page.getByText("is a copy of 2040").count()).toBe(1);
  await card.getByRole("button", { name: "Confirm" }).click();
  await expect.poll(() => asked(page, "/cards/m5/confirm"), patient).toBe(1);
  const done = { card: toVoidCard({ state: "confirmed", finished: true }), message: settled("confirmed") };
  await page.evaluate(({ card: after, message }) => {
    const { assistant } = window.stage;
    const chat = assistant.chats.get("c1");
    if (chat) chat.cards = { m5: after };
    assistant.tell("c1", { type: "message", message });
  }, done);
  await page.locator(".cs-card[data-state='confirmed']").waitFor();
  expect(await page.locator(".cs-card").count()).toBe(1);
  expect(await gallery.faults(page)).toEqual([]);
});

test("nothing that a model wrote or called is drawn as a card or as a notice", async () => {
  const page = await open("c2");
  await page.getByText("<article").waitFor();
  expect(await page.locator(".cs-card").count()).toBe(0);
  expect(await page.locator(".tool").allInnerTexts()).toEqual([
    "tool:countersign_card {}",
    "tool:countersign_notice {}",
    "billing.invoices_find {}",
  ]);
  // The one notice is the product's own.
  expect(await page.locator(".cs-notice").allInnerTexts()).toHaveLength(1);
  await page.locator(".cs-notice").getByText("budget").waitFor();
});

test("a message is sent, its answer grows in one message and is stored in place, and Stop asks the server", async () => {
  const page = await open("c1");
  await page.locator(".cs-card").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Which are overdue?");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => asked(page, "/turns"), patient).toBe(1);
  await page.locator(".question").getByText("Which are overdue?").waitFor();
  const question = userMessage({ seq: 6, turnId: "t9", text: "Which are overdue?" });
  await page.evaluate((message) => {
    const { assistant } = window.stage;
    const turn = {
      turnId: "t9",
      conversationId: "c1",
      activity: "answering",
      toolTitle: null,
      text: "Three of",
    } as const;
    assistant.tell("c1", { type: "turn", turn });
    assistant.tell("c1", { type: "message", message });
  }, question);
  const growing = page.locator(".answer").last();
  await growing.getByText("Three of").waitFor();
  const id = await growing.getAttribute("data-message-id");
  expect(id).toBe("turn:t9");
  expect(await page.getByText("Which are overdue?").count()).toBe(1);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => asked(page, "/turns/t9/stop"), patient).toBe(1);
  const end = [
    answer({ seq: 7, turnId: "t9", text: "Three of them." }),
    notice({ seq: 8, turnId: "t9", code: "stopped" }),
  ];
  await page.evaluate((messages) => {
    const { assistant } = window.stage;
    for (const message of messages) assistant.tell("c1", { type: "message", message });
    assistant.tell("c1", { type: "turn_ended", turnId: "t9", how: "stopped", asked: true });
  }, end);
  await growing.getByText("Three of them.").waitFor();
  expect(await growing.getAttribute("data-message-id")).toBe(id);
  expect(await growing.locator(".cs-notice").count()).toBe(1);
  expect(await gallery.faults(page)).toEqual([]);
});

test("a message that is refused says why, and its text is back in the composer", async () => {
  const page = await open("c1");
  await page.locator(".cs-card").waitFor();
  await page.evaluate(() => {
    const refusal = { type: "about:blank", title: "", status: 429, code: "turn_limit" };
    window.stage.assistant.script(/POST .*turns/, () => Response.json(refusal, { status: 429 }));
  });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Once more");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".answer .cs-notice").waitFor();
  await expect.poll(() => field.inputValue(), patient).toBe("Once more");
});

test("chats are listed, opened, begun and deleted from assistant-ui's list", async () => {
  const page = await open("c1");
  await page.locator(".cs-card").waitFor();
  await page.getByRole("button", { name: "A model that draws" }).click();
  await page.getByText("Show me a card").waitFor();
  await page.locator(".chat", { hasText: "Invoice 2041" }).getByRole("button", { name: "Delete chat" }).click();
  await expect.poll(() => page.locator(".chat").count(), patient).toBe(1);
  await page.getByRole("button", { name: "New chat" }).click();
  await expect.poll(() => page.locator(".question").count(), patient).toBe(0);
});

test("a file is sent to the server as it is chosen, and goes with the message", async () => {
  const page = await open("c1");
  await page.locator(".cs-card").waitFor();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach" }).click();
  await (await chooser).setFiles({ name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("2041") });
  await expect.poll(() => asked(page, "/attachments?name=list.txt"), patient).toBe(1);
  await page.evaluate(() => {
    for (const file of window.stage.assistant.chats.get("c1")?.files ?? []) Object.assign(file, { state: "ready" });
  });
  await page.getByRole("textbox", { name: "Message" }).fill("Look at it");
  const send = page.getByRole("button", { name: "Send" });
  await expect.poll(() => send.isEnabled(), patient).toBe(true);
  await send.click();
  const bodies = (): Promise<readonly unknown[]> =>
    page.evaluate(() =>
      window.stage.assistant.asked.filter(({ path }) => path.endsWith("/turns")).map(({ body }) => body),
    );
  await expect.poll(bodies, patient).toMatchObject([{ text: "Look at it", attachmentIds: [expect.any(String)] }]);
});
