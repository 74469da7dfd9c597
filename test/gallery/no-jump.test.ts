import type { ElementHandle, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Message } from "../../src/wire/messages.ts";
import { patient } from "../patient.ts";
import { openGallery } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";

// Nothing jumps: what is read stays where it is, whatever comes.

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

async function tell(page: Page, event: ServerEvent): Promise<void> {
  await page.evaluate((told) => window.stage.assistant.tell("c1", told), event);
}

function toAnswer(seq: number, text: string): Message {
  const base = { id: `m${seq}`, seq, conversationId: "c1", turnId: "t9", createdAt: new Date().toISOString() };
  return { ...base, role: "assistant", text, calls: [], usage: null };
}

const toTop = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .last()
    .evaluate((element) => element.getBoundingClientRect().top);

const distanceFromEnd = (page: Page): Promise<number> =>
  page.locator(".cs-thread").evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));

/** Two frames: what was to be drawn is drawn. */
const settleFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

test("an answer that grew is stored where it stands: the very same element, in the same place", async () => {
  const page = await gallery.show("turn-answering");
  const before = await page.locator(".cs-prose").last().elementHandle();
  const top = await toTop(page, ".cs-prose");
  const text = await page.evaluate(() => window.stage.client.getSnapshot().chat.turn?.text ?? "");
  await tell(page, { type: "message", message: toAnswer(2, text) });
  await tell(page, { type: "turn_ended", turnId: "t9", how: "answer", asked: true });
  await page.locator(".cs-activity").waitFor({ state: "detached" });
  expect(await toTop(page, ".cs-prose")).toBe(top);
  const after = await page.locator(".cs-prose").last().elementHandle();
  expect(await page.evaluate(([a, b]) => a === b, [before, after])).toBe(true);
  await page.context().close();
});

test("a click changes only the end of its card; what it would change stays in its place", async () => {
  const page = await gallery.show("card-confirmable");
  const height = async (): Promise<number> => Math.round((await page.locator(".cs-card").boundingBox())?.height ?? 0);
  const whole = await height();
  const top = await toTop(page, ".cs-changes");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.locator(".cs-card[data-state='confirmed']").waitFor();
  await settleFrames(page);
  expect(await page.locator(".cs-changes").count()).toBe(1);
  expect(await height()).toBeLessThanOrEqual(whole);
  expect(await toTop(page, ".cs-changes")).toBeGreaterThanOrEqual(top);
  await page.context().close();
});

test("a card that is being done is as tall as one that waits", async () => {
  const page = await gallery.show("card-waiting");
  const height = async (): Promise<number> => Math.round((await page.locator(".cs-card").boundingBox())?.height ?? 0);
  await page.evaluate(() => {
    window.stage.assistant.script(/confirm$/, () => new Promise(() => {}));
  });
  const before = await height();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.locator(".cs-card .cs-spinner").waitFor();
  expect(await height()).toBe(before);
  await page.context().close();
});

/** The row in the middle of the page: the element itself, that stays while its row does. */
async function rowInMiddle(page: Page): Promise<ElementHandle<HTMLElement>> {
  const found = await page.waitForFunction(() => {
    const row = document.elementFromPoint(700, 400)?.closest<HTMLElement>(".cs-row");
    return row && row.innerText.length > 8 ? row : null;
  });
  const row = found.asElement();
  if (row === null) throw new Error("no row in the middle of the page");
  return row;
}

const topOf = (row: ElementHandle<HTMLElement>): Promise<number> =>
  row.evaluate((element) => (element.isConnected ? element.getBoundingClientRect().top : Infinity));

test("earlier messages come in above, and what is read stays in its place", async () => {
  const page = await gallery.show("thread-long");
  await page.locator(".cs-thread").evaluate((box) => box.scrollTo(0, 900));
  const row = await rowInMiddle(page);
  const before = await topOf(row);
  await page.evaluate(() => window.stage.client.loadEarlier());
  await settleFrames(page);
  expect(await page.evaluate(() => window.stage.client.getSnapshot().chat.messages.length)).toBe(100);
  expect(Math.abs((await topOf(row)) - before)).toBeLessThanOrEqual(1);
  await page.context().close();
});

test("who holds the thread at its top gets page after page, up to the first message", async () => {
  const page = await gallery.show("thread-long");
  const isThere = await page.evaluate(async () => {
    const box = document.querySelector(".cs-thread");
    for (let tries = 0; tries < 5_000; tries += 1) {
      if (
        box?.textContent.includes("Question 1") === true &&
        window.stage.client.getSnapshot().chat.messages[0]?.seq === 1
      )
        return true;
      // Back to the top in the very frame in which a page came in above: nothing scrolls.
      if (box) box.scrollTop = 0;
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    return false;
  });
  expect(isThere).toBe(true);
  await page.context().close();
});

test("at its end the thread follows; scrolled up it stays", async () => {
  const page = await gallery.show("thread-waiting-out-of-sight");
  await expect.poll(() => distanceFromEnd(page), patient).toBeLessThanOrEqual(1);
  await tell(page, { type: "message", message: toAnswer(36, "One more line. ".repeat(60)) });
  await page.locator(".cs-prose", { hasText: "One more line." }).waitFor();
  await expect.poll(() => distanceFromEnd(page), patient).toBeLessThanOrEqual(1);

  const thread = page.locator(".cs-thread");
  await thread.evaluate((box) => box.scrollTo(0, box.scrollTop - 700));
  const toEnd = page.getByRole("button", { name: "Scroll to the newest message" });
  await toEnd.waitFor();
  await settleFrames(page);
  const row = await rowInMiddle(page);
  const before = await topOf(row);
  await tell(page, { type: "message", message: toAnswer(37, "And another. ".repeat(60)) });
  await expect
    .poll(() => page.evaluate(() => window.stage.client.getSnapshot().chat.messages.length), patient)
    .toBe(37);
  await settleFrames(page);
  expect(Math.abs((await topOf(row)) - before)).toBeLessThanOrEqual(1);
  // What came out of sight is told, and led to.
  await page.getByRole("button", { name: "New messages" }).click();
  await expect.poll(() => distanceFromEnd(page), patient).toBeLessThanOrEqual(1);
  await page.context().close();
});

test("the end stays in sight while text grows, and while the composer does", async () => {
  const page = await gallery.show("turn-answering");
  for (let piece = 0; piece < 40; piece += 1) {
    const at = await page.evaluate(() => window.stage.client.getSnapshot().chat.turn?.text.length ?? 0);
    await tell(page, { type: "delta", turnId: "t9", at, text: `\n\nAnd line ${piece} of many.` });
    await expect
      .poll(() => page.evaluate(() => window.stage.client.getSnapshot().chat.turn?.text.length ?? 0), patient)
      .toBeGreaterThan(at);
  }
  await expect.poll(() => distanceFromEnd(page), patient).toBeLessThanOrEqual(1);
  await page.getByRole("textbox", { name: "Message" }).fill("line\n".repeat(6));
  await expect.poll(() => distanceFromEnd(page), patient).toBeLessThanOrEqual(1);
  await page.context().close();
});

test("a lost connection is told over the thread, and moves nothing", async () => {
  const page = await gallery.show("card-waiting");
  const top = await toTop(page, ".cs-card");
  await page.evaluate(() => {
    window.stage.assistant.script(/GET .*events/, () => "lost", 99);
    window.stage.assistant.cutStreams();
  });
  await page.locator(".cs-connection").waitFor();
  expect(await toTop(page, ".cs-card")).toBe(top);
  await page.context().close();
});

test("a thread that all fitted follows what makes it too long", async () => {
  const page = await gallery.show("card-waiting");
  for (const seq of [90, 91, 92]) {
    await tell(page, { type: "message", message: toAnswer(seq, `Part ${seq}. ${"One more line. ".repeat(70)}`) });
    await page.locator(".cs-prose", { hasText: `Part ${seq}.` }).waitFor();
    await expect.poll(() => distanceFromEnd(page), patient).toBeLessThanOrEqual(1);
  }
  await page.context().close();
});
