import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en } from "../../src/react/language/en.ts";
import { ru } from "../../src/react/language/ru.ts";
import type { ServerEvent, TurnActivity } from "../../src/wire/events.ts";
import type { NoticeCode } from "../../src/wire/reasons.ts";
import { notice } from "../fixtures.ts";
import { patient } from "../patient.ts";
import { openGallery } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

const holder = "Move Friday's tasks to Monday";

function tell(page: Page, event: ServerEvent): Promise<void> {
  return page.evaluate((told) => window.stage.assistant.tell("c1", told), event);
}

describe("while another chat holds the user's lock", () => {
  test("a refused message says why, names that chat and leads there; its text is kept", async () => {
    const page = await gallery.show("panel-send-refused");
    const note = page.locator(".cs-composer-note");
    expect(await note.innerText()).toContain(en.refusals.turn_running);
    const field = page.getByRole("textbox", { name: "Message" });
    const text = await field.inputValue();
    expect(text).toContain("remind Blue Yonder");
    await note.getByRole("button", { name: `Open “${holder}”` }).click();
    await expect.poll(() => page.locator(".cs-header h2").innerText(), patient).toBe(holder);
    await expect.poll(() => field.inputValue(), patient).toBe("");
    await page.getByRole("button", { name: "Invoice 2041 sent twice", exact: true }).click();
    await expect.poll(() => field.inputValue(), patient).toBe(text);
    await page.context().close();
  });

  test("a click that waits names that chat and leads there, and goes on waiting", async () => {
    const page = await gallery.show("card-queued");
    const foot = page.locator(".cs-card .cs-foot");
    expect(await foot.innerText()).toContain(en.card.queued);
    await foot.getByRole("button", { name: `Open “${holder}”` }).click();
    await expect.poll(() => page.locator(".cs-header h2").innerText(), patient).toBe(holder);
    await page.getByRole("button", { name: "Invoice 2041 sent twice", exact: true }).click();
    await expect.poll(() => foot.innerText(), patient).toContain(en.card.queued);
    await page.context().close();
  });

  test("one whose title is not known is led to all the same, and the open chat is not led to", async () => {
    const page = await gallery.show("panel-empty");
    const refuse = (conversationId: string): Promise<void> =>
      page.evaluate(async (id) => {
        const { assistant, client } = window.stage;
        const problem = { code: "click_in_flight", conversationId: id, retryAfter: 3 };
        assistant.script(/turns$/, () => Response.json(problem, { status: 409 }));
        client.setDraft(`Again: ${id}`);
        await client.send();
      }, conversationId);
    await refuse("a-chat-of-long-ago");
    const note = page.locator(".cs-composer-note");
    expect(await note.innerText()).toContain(en.refusals.click_in_flight);
    expect(await note.getByRole("button", { name: "Open that chat" }).count()).toBe(1);
    await refuse(await page.evaluate(() => window.stage.client.getSnapshot().chat.id ?? ""));
    await expect.poll(() => note.getByRole("button").count(), patient).toBe(0);
    await page.context().close();
  });
});

test("a running turn says what it does: thinking, the tool by its title, its text as it comes, and that it is stopping", async () => {
  const page = await gallery.show("turn-thinking");
  const activity = page.locator(".cs-activity");
  const text = page.locator(".cs-answer").last();
  const turn = (what: TurnActivity, toolTitle: string | null = null): Promise<void> =>
    tell(page, {
      type: "turn",
      turn: { turnId: "t9", conversationId: "c1", activity: what, toolTitle, text: "" },
    });
  expect((await activity.innerText()).trim()).toBe("Thinking…");
  await turn("tool", "Find invoices");
  await expect.poll(() => activity.innerText(), patient).toContain("Find invoices…");
  await tell(page, { type: "delta", turnId: "t9", at: 0, text: "Three customers " });
  await tell(page, { type: "delta", turnId: "t9", at: 16, text: "owe more." });
  await expect.poll(() => text.innerText(), patient).toContain("Three customers owe more.");
  await expect.poll(() => activity.innerText(), patient).toContain("Writing…");
  await turn("stopping");
  await expect.poll(() => activity.innerText(), patient).toContain("Stopping…");
  expect(await page.getByRole("button", { name: "Stop" }).isDisabled()).toBe(true);
  await tell(page, { type: "delta", turnId: "t9", at: 25, text: " And more." });
  await tell(page, { type: "message", message: notice({ seq: 2, code: "stopped", turnId: "t9" }) });
  await tell(page, { type: "turn_ended", turnId: "t9", how: "stopped", asked: true });
  await page.locator(".cs-notice", { hasText: en.notices.stopped }).waitFor();
  expect(await page.locator(".cs-thread").innerText()).not.toMatch(/And more|Three customers/);
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.context().close();
});

describe("every notice is a sentence of its own", () => {
  test.each([
    ["notices", en],
    ["notices-russian", ru],
  ] as const)("in the scene %s", async (scene, language) => {
    // Tall enough for all of them: the thread draws only what is in sight.
    const page = await gallery.show(scene, { viewport: { width: 1100, height: 6_000 } });
    const codes = Object.keys(language.notices) as readonly NoticeCode[];
    const told = page.locator(".cs-notice p");
    await expect.poll(() => told.allInnerTexts(), patient).toEqual(codes.map((code) => language.notices[code]));
    expect(new Set(await told.allInnerTexts()).size).toBe(codes.length);
    await page.context().close();
  });
});
