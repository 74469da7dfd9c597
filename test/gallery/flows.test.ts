import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en } from "../../src/react/language/en.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { Message } from "../../src/wire/messages.ts";
import { patient } from "../patient.ts";
import { desk, openGallery, phone } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";

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

/** Streams a text in pieces of a few letters, as a model does, and waits until all of it is on the page. */
async function stream(page: Page, text: string): Promise<void> {
  await page.evaluate(async (whole) => {
    for (let at = 0; at < whole.length; at += 7) {
      window.stage.assistant.tell("c1", { type: "delta", turnId: "t9", at, text: whole.slice(at, at + 7) });
      if (at % 70 === 0) await new Promise(requestAnimationFrame);
    }
  }, text);
  const length = (): Promise<number> =>
    page.evaluate(() => window.stage.client.getSnapshot().chat.turn?.text.length ?? 0);
  await expect.poll(length, patient).toBe(text.length);
}

describe.each([
  ["at a desk", desk],
  ["on a phone", phone],
])("%s", (_name, viewport) => {
  const isPhone = viewport === phone;
  const show = (scene: string): Promise<Page> => gallery.show(scene, { viewport });
  const openList = async (page: Page): Promise<void> => {
    if (isPhone) await page.getByRole("button", { name: en.chats.open }).click();
  };

  test("a new chat is begun, and has its place in the list once its first message is there", async () => {
    const page = await show("card-waiting");
    await page.getByRole("button", { name: en.chats.new }).first().click();
    await page.getByText("What can I do for you, Nora?").waitFor();
    await page.getByRole("textbox", { name: en.composer.label }).fill("Who owes us money?");
    await page.getByRole("button", { name: en.composer.send }).click();
    await page.locator(".cs-question", { hasText: "Who owes us money?" }).waitFor();
    await openList(page);
    expect(await page.locator(".cs-chat[data-open='true']").innerText()).toContain(en.chats.untitled);
    await page.context().close();
  });

  test("a question to begin with is asked by one click", async () => {
    const page = await show("panel-empty");
    await page.getByRole("button", { name: "Which invoices are overdue?" }).click();
    const asked = page.locator(".cs-question", { hasText: "Which invoices are overdue?" });
    await expect.poll(() => asked.count(), patient).toBe(1);
    await page.context().close();
  });

  test("chats are found by a word of theirs, and all are there again when it is taken out", async () => {
    const page = await show("card-waiting");
    await openList(page);
    const all = page.locator(".cs-chat");
    await expect.poll(() => all.count(), patient).toBe(9);
    const field = page.getByRole("searchbox", { name: en.chats.search });
    await field.fill("friday");
    await expect.poll(() => all.allInnerTexts(), patient).toEqual(["Move Friday's tasks to Monday"]);
    await field.fill("unicorns");
    await page.getByText(en.chats.nothingFound("unicorns")).waitFor();
    await field.fill("");
    await expect.poll(() => all.count(), patient).toBe(9);
    await page.context().close();
  });

  test("a chat is renamed, deleted, and taken back, with the mouse", async () => {
    const page = await show("card-waiting");
    await openList(page);
    const choose = async (chat: string, item: string): Promise<void> => {
      await page.locator(".cs-chat", { hasText: chat }).hover();
      await page.getByRole("button", { name: en.chats.menuOf(chat) }).click();
      await page.locator(".cs-menu:popover-open").getByRole("menuitem", { name: item }).click();
    };
    await choose("Who has not logged hours?", en.chats.rename);
    const name = page.getByRole("textbox", { name: en.chats.nameOf });
    await name.fill("Late sheets");
    await name.press("Enter");
    await page.getByRole("button", { name: "Late sheets", exact: true }).waitFor();
    await choose("Late sheets", en.chats.remove);
    await page.getByText(en.chats.removed("Late sheets")).waitFor();
    await page.getByRole("button", { name: en.chats.undo }).click();
    const back = page.getByRole("button", { name: "Late sheets", exact: true });
    await expect.poll(() => back.count(), patient).toBe(1);
    await page.context().close();
  });

  test("what an answer cost is told when it is asked for", async () => {
    const page = await show("card-waiting");
    const answer = page.locator(".cs-answer", { hasText: "is a copy of 2040" });
    expect(await answer.innerText()).not.toContain("gpt-5.4");
    await answer.hover();
    await answer.getByRole("button", { name: en.thread.cost }).click();
    await expect.poll(() => answer.innerText(), patient).toMatch(/gpt-5\.4 · \S*0\.0042 · 3,204 in, 233 out · 2\.1/);
    await page.context().close();
  });

  test("My assistant tells the model and the limits in effect, and keeps what its user writes", async () => {
    const page = await show("card-waiting");
    await page.getByRole("button", { name: en.panel.more, exact: true }).click();
    await page.getByRole("menuitem", { name: en.settings.title }).click();
    const dialog = page.getByRole("dialog", { name: en.settings.title });
    const limits = (await dialog.locator(".cs-limits").innerText()).replaceAll(/\s+/g, " ");
    expect(limits).toBe(
      "Model gpt-5.4 Questions 60 an hour, 500 a day Budget US$5.00 a day A message up to 20,000 characters Files up to 10 a message, 20 MB each",
    );
    await dialog.getByRole("textbox").fill("I work in accounting.");
    await dialog.getByRole("button", { name: en.settings.save }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => window.stage.assistant.settings)).toEqual({
      instructions: "I work in accounting.",
    });
    await page.context().close();
  });

  test("a text that streams never takes back what is drawn: finished parts are the very same elements to the end", async () => {
    const page = await show("turn-thinking");
    const parts = [
      "# Late payers",
      "| A | B |\n| - | - |\n| INV-1042 | 9 |",
      "```sql\nselect 1;\n```",
      "1. one\n2. two",
    ];
    await stream(page, `${parts[0]}\n\n`);
    await page.evaluate(() => {
      // Whatever is taken out of the answer while it grows is written down.
      const taken: string[] = [];
      Object.assign(window, { taken });
      const prose = document.querySelector(".cs-prose");
      if (prose === null) throw new Error("no answer");
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes) {
          for (const node of removedNodes) if (node instanceof Element) taken.push(node.outerHTML);
        }
      }).observe(prose, { childList: true });
    });
    const first = await page.locator(".cs-prose h3").first().elementHandle();
    const whole = parts.join("\n\n");
    await stream(page, whole);
    await tell(page, { type: "message", message: toAnswer(2, whole) });
    await tell(page, { type: "turn_ended", turnId: "t9", how: "answer", asked: true });
    await page.locator(".cs-activity").waitFor({ state: "detached" });
    expect(await page.evaluate((one) => one?.isConnected, first)).toBe(true);
    expect(await page.evaluate(() => (window as unknown as { taken: string[] }).taken)).toEqual([]);
    expect(await page.locator(".cs-prose table td").allInnerTexts()).toEqual(["INV-1042", "9"]);
    await page.context().close();
  });

  test("code is copied to the letter, and so is an answer", async () => {
    const page = await gallery.show("thread-rich", {
      viewport,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.locator(".cs-code").getByRole("button", { name: en.thread.copyCode }).click();
    await page.locator(".cs-code").getByText(en.panel.copied).waitFor();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toMatch(/^select customer, sum\(open_amount\) as open\nfrom invoices\n/);
    await page.getByRole("button", { name: en.thread.copy, exact: true }).last().click();
    await expect.poll(copied, patient).toMatch(/^Three customers owe more than \*\*€ 1,000\*\*/);
    await page.context().close();
  });

  test("a table and code wider than the thread scroll by themselves; what a cell names is never broken", async () => {
    const page = await show("turn-thinking");
    const cells = Array.from({ length: 12 }, (_, index) => `INV-10${index}`);
    const row = (all: readonly string[]): string => `| ${all.join(" | ")} |`;
    await stream(
      page,
      `${row(cells)}\n${row(cells.map(() => "-"))}\n${row(cells)}\n\n\`\`\`\n${"x".repeat(400)}\n\`\`\``,
    );
    for (const frame of await page.locator(".cs-prose [data-scroll]").all()) {
      expect(await frame.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    const heights = await page.locator(".cs-prose td").evaluateAll((all) => all.map((cell) => cell.clientHeight));
    const line = await page
      .locator(".cs-prose td")
      .first()
      .evaluate((cell) => parseFloat(getComputedStyle(cell).lineHeight));
    expect(Math.max(...heights)).toBeLessThan(2 * line);
    await page.context().close();
  });

  test("colours follow the page around, and a theme that is set wins", async () => {
    const page = await gallery.show("panel-empty", { viewport, theme: "light", colorScheme: "light" });
    const colour = (): Promise<string> =>
      page.locator(".cs-panel").evaluate((panel) => getComputedStyle(panel).backgroundColor);
    const light = await colour();
    await page.evaluate(() => (document.documentElement.dataset["theme"] = "dark"));
    const dark = await colour();
    expect(dark).not.toBe(light);
    await page.evaluate(() => delete document.documentElement.dataset["theme"]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await colour()).toBe(dark);
    await page.locator(".cs-panel").evaluate((panel) => (panel.dataset["theme"] = "light"));
    expect(await colour()).toBe(light);
    await page.context().close();
  });

  test("without a network the panel says that it is offline, and what is written then goes out once when it is back", async () => {
    const page = await show("card-waiting");
    await page.context().setOffline(true);
    await page.getByText(en.panel.offline).waitFor();
    await page.evaluate(() => window.stage.assistant.script(/turns$/, () => "lost", 1));
    await page.getByRole("textbox", { name: en.composer.label }).fill("And remind Blue Yonder");
    await page.getByRole("textbox", { name: en.composer.label }).press("Enter");
    await page.getByText(en.composer.retrying).waitFor();
    await page.context().setOffline(false);
    await page.getByText(en.panel.offline).waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".cs-question", { hasText: "Blue Yonder" }).count(), patient).toBe(1);
    await expect.poll(() => page.getByRole("textbox", { name: en.composer.label }).inputValue(), patient).toBe("");
    await page.context().close();
  });
});
