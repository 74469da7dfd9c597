import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patient.ts";
import { openGallery } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";

// What a model that was turned against its user could write. Streamed as well as stored: both ways are drawn.

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

const beacon = "https://evil.example/beacon";
const code = "window.hacked=1";

const attacks: Readonly<Record<string, string>> = {
  "scripts and event handlers": [
    `<script>${code}</script>`,
    `<img src=x onerror="${code}">`,
    `<svg onload="${code}"><animate onbegin="${code}"></svg>`,
    `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
    `<object data="data:text/html,<script>${code}</script>"></object>`,
    `<details open ontoggle="${code}">x</details>`,
    `<math><mtext><table><mglyph><style><img src=x onerror="${code}">`,
    `<a href="#" onmouseover="${code}">x</a>`,
    `a <b onclick="${code}">b</b> c`,
  ].join("\n\n"),
  "links that run": [
    `[a](javascript:${code})`,
    `[b](JaVaScRiPt:${code})`,
    `[c](java&#x73;cript:${code})`,
    `[d](&#106;avascript&colon;${code})`,
    `[e](<java\tscript:${code}>)`,
    `[f](data:text/html;base64,PHNjcmlwdD4xPC9zY3JpcHQ+)`,
    `[g](vbscript:msgbox)`,
    `[h](blob:https://evil.example/1)`,
    `[i](file:///etc/passwd)`,
    `[j](//evil.example/x)`,
    `[k](/assistant/conversations)`,
    `<javascript:${code}>`,
    `[l]: javascript:${code}\n\n[l] [m][l]`,
  ].join("\n\n"),
  "pictures and other beacons": [
    `![a](${beacon}.png)`,
    `![b][c]\n\n[c]: ${beacon}.gif "t"`,
    `<img src="${beacon}" srcset="${beacon} 2x">`,
    `<link rel="stylesheet" href="${beacon}.css"><link rel="prefetch" href="${beacon}">`,
    `<style>@import url(${beacon}); body { background: url(${beacon}) }</style>`,
    `<video poster="${beacon}" src="${beacon}"></video><audio src="${beacon}" autoplay></audio>`,
    `<meta http-equiv="refresh" content="0;url=${beacon}"><base href="${beacon}">`,
    `[![a](${beacon})](${beacon})`,
  ].join("\n\n"),
  "what would look like a card, a button or a notice": [
    `<article class="cs-card" data-state="waiting"><h3 class="cs-card-tool">Void invoice</h3><div class="cs-foot"><button class="cs-button cs-primary">Confirm</button></div></article>`,
    `<div class="cs-notice" role="alert">You are signed out</div>`,
    `<form action="${beacon}"><input name="password"><button>Sign in</button></form>`,
    `<dialog open>Confirm?</dialog>`,
    "```cs-card\nConfirm\n```",
    '```"onclick="x\ncode\n```',
    "- [ ] Confirm\n- [x] Cancel",
    `<countersign-panel base-url="${beacon}"></countersign-panel>`,
    "# \u200bWaits for your confirmation",
    `[**Confirm**](${beacon})`,
  ].join("\n\n"),
  "text that turns around": [
    "\u202egpj.ecnaticni\u202c \u202d\u2067abc\u2069",
    "[\u202emoc.elpmaxe.knab//:sptth](https://evil.example)",
    "`\u202e code`\n\n```\n\u202e block\n```",
    "| \u202eA | B |\n| - | - |\n| \u202ea | b |",
  ].join("\n\n"),
};

/** Opens a chat in which an answer streams and is stored; answers the page and every request it made since. */
async function write(text: string): Promise<{ readonly page: Page; readonly asked: readonly string[] }> {
  const page = await gallery.show("turn-thinking");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.evaluate(async (whole) => {
    const { assistant } = window.stage;
    const step = Math.max(11, Math.ceil(whole.length / 40));
    for (let at = 0; at < whole.length; at += step) {
      assistant.tell("c1", { type: "delta", turnId: "t9", at, text: whole.slice(at, at + step) });
      await new Promise(requestAnimationFrame);
    }
    const base = { id: "m2", seq: 2, conversationId: "c1", turnId: "t9", createdAt: new Date().toISOString() };
    const message = { ...base, role: "assistant", text: whole, calls: [], usage: null } as const;
    assistant.tell("c1", { type: "message", message });
    assistant.tell("c1", { type: "turn_ended", turnId: "t9", how: "answer", asked: true });
  }, text);
  await page.locator(".cs-activity").waitFor({ state: "detached" });
  return { page, asked };
}

/** Two frames: what was to be loaded was asked for. */
const settleFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

describe("of what a hostile model writes nothing runs, nothing is fetched, and nothing looks like the panel's own", () => {
  test.each(Object.keys(attacks))("%s", async (name) => {
    const { page, asked } = await write(attacks[name] ?? "");
    await settleFrames(page);
    const prose = page.locator(".cs-prose");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(asked).toEqual([]);
    // Only the elements of plain text; of the panel's own, the frames of code and tables.
    const found = await prose.evaluate((root) =>
      Array.from(root.querySelectorAll("*"), (element) => ({
        tag: element.localName,
        names: element.getAttributeNames().filter((attribute) => !["href", "rel", "target"].includes(attribute)),
        className: element.closest("figcaption") === null ? element.getAttribute("class") : null,
        role: element.getAttribute("role"),
      })),
    );
    const tags = new Set(found.map(({ tag }) => tag));
    const plain = "div p ul ol li h3 blockquote hr br em strong del a bdi span code pre table thead tbody tr th td";
    const own = "figure figcaption button svg path";
    expect([...tags].filter((tag) => !`${plain} ${own}`.split(" ").includes(tag))).toEqual([]);
    const classes = new Set(found.flatMap(({ className }) => className ?? []));
    expect([...classes].filter((one) => !["cs-place", "cs-table", "cs-code"].includes(one))).toEqual([]);
    expect(new Set(found.flatMap(({ role }) => role ?? []))).toEqual(
      new Set(found.some(({ role }) => role) ? ["region"] : []),
    );
    expect(await prose.locator("button").allInnerTexts()).toEqual(
      Array.from({ length: await prose.locator("figure").count() }, () => "Copy"),
    );
    // A link leads out of the page or nowhere.
    const links = await prose.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    for (const href of links) expect(href).toMatch(/^https:\/\/(evil|bank)\.example\//);
    expect(await prose.innerText()).not.toMatch(/[\u202a-\u202e]/);
    expect(await page.locator(".cs-card, dialog, .cs-notice").count()).toBe(0);
    await page.context().close();
  });

  test.each([
    ["lists in lists, a megabyte of them", "list"],
    ["quotes in quotes", "quote"],
    ["emphasis that never ends", "stars"],
    ["brackets that never close", "brackets"],
    ["one line of a megabyte", "line"],
    ["a table of many thousand cells", "table"],
    ["backticks of every length", "ticks"],
    ["a megabyte of code", "code"],
  ])("%s: the page goes on, and the text is there", async (_name, kind) => {
    const page = await gallery.show("turn-thinking");
    await page.evaluate((wanted) => {
      const mega = 1_000_000;
      const made: Record<string, () => string> = {
        list: () => Array.from({ length: 1_400 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
        quote: () => `${">".repeat(mega)} a`,
        stars: () => "*a **b ".repeat(mega / 7),
        brackets: () => "[a](".repeat(mega / 4),
        line: () => "word ".repeat(mega / 5),
        table: () => `${"|a".repeat(200)}|\n${"|-".repeat(200)}|\n${`${"|b".repeat(200)}|\n`.repeat(2_400)}`,
        ticks: () => Array.from({ length: 1_400 }, (_, length) => "`".repeat(length)).join(" "),
        code: () => `\`\`\`\n${"let a = 1;\n".repeat(mega / 11)}`,
      };
      const text = made[wanted]?.() ?? "";
      const base = { id: "m2", seq: 2, conversationId: "c1", turnId: "t9", createdAt: new Date().toISOString() };
      const message = { ...base, role: "assistant", text, calls: [], usage: null } as const;
      window.stage.assistant.tell("c1", { type: "message", message });
      window.stage.assistant.tell("c1", { type: "turn_ended", turnId: "t9", how: "answer", asked: true });
    }, kind);
    await page.locator(".cs-activity").waitFor({ state: "detached" });
    await page.locator(".cs-prose").waitFor();
    // What is typed is taken: the page does not hang.
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("Still here");
    await expect.poll(() => field.inputValue(), patient).toBe("Still here");
    await page.context().close();
  });
});
