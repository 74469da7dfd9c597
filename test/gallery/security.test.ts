import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patient } from "../patient.ts";
import { openGallery } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";
import { strictPolicy } from "./serve-gallery.ts";

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

test("the panel works under Trusted Types; what cannot be read then is shown as it was written", async () => {
  const policy = `${strictPolicy}; require-trusted-types-for 'script'; trusted-types 'none'`;
  const strict = await openGallery(policy);
  const page = await strict.show("thread-rich");
  expect(await strict.faults(page)).toEqual([]);
  await page.evaluate(() => {
    const [first] = window.stage.assistant.chats.get("c1")?.messages ?? [];
    if (!first) return;
    const base = { id: "m5", seq: 5, conversationId: "c1", turnId: "t1", createdAt: first.createdAt };
    const message = { ...base, role: "assistant", text: "Fish &amp; chips", calls: [], usage: null } as const;
    window.stage.assistant.tell("c1", { type: "message", message });
  });
  await page.getByText("Fish &amp; chips", { exact: true }).waitFor();
  // The policy stopped the parser: that the browser says so is expected.
  expect((await strict.faults(page)).join()).toContain("TrustedHTML");
  await strict.close();
});

describe("nothing a model writes can act, load, or look like a part of the panel", () => {
  test("hostile Markdown is text", async () => {
    const page = await gallery.show("thread-hostile");
    const answer = page.locator(".cs-prose");
    await answer.getByText("<script>window.hacked = 1</script>").waitFor();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(await answer.locator("script, img, button, input, form, iframe, style, svg, [style], [id]").count()).toBe(0);
    // The classes there are stand on frames of the panel's own.
    const classes = await answer.evaluate((root) =>
      Array.from(root.querySelectorAll("[class]"), (element) => element.className),
    );
    expect(new Set(classes)).toEqual(new Set(["cs-place", "cs-table"]));
    await page.context().close();
  });

  test("a link leads only to http, https or mail, tells nothing, and its place is in sight", async () => {
    const page = await gallery.show("thread-hostile");
    const links = await page.locator(".cs-prose a").evaluateAll((all) =>
      all.map((link) => ({
        href: link.getAttribute("href"),
        rel: link.getAttribute("rel"),
        place: link.nextElementSibling?.textContent.trim() ?? null,
      })),
    );
    const rel = "noopener noreferrer nofollow";
    expect(links).toEqual([
      { href: "https://evil.example/login", rel, place: "(evil.example)" },
      { href: "https://bank.example@evil.example/", rel, place: "(evil.example)" },
      { href: "https://xn--80ak6aa92e.com/", rel, place: "(xn--80ak6aa92e.com)" },
      { href: "mailto:a@evil.example", rel, place: "(a@evil.example)" },
      { href: "https://evil.example/", rel, place: "(evil.example)" },
    ]);
    await page.context().close();
  });

  test("cards stand beside what the model wrote, never in it", async () => {
    const page = await gallery.show("card-waiting");
    expect(await page.locator(".cs-card").count()).toBe(1);
    expect(await page.locator(".cs-prose .cs-card, .cs-answer .cs-card").count()).toBe(0);
    await page.context().close();
  });
});

describe("a card hides nothing", () => {
  test("markup in values is text, and characters that would not be seen are named", async () => {
    const page = await gallery.show("card-hidden-characters");
    const card = page.locator(".cs-card");
    await card.getByText("<img src=x onerror=alert(1)> & <script>1</script>").waitFor();
    expect(await card.locator("img, script, b").count()).toBe(0);
    const marks = await card.locator(".cs-mark").allTextContents();
    expect(marks).toEqual(expect.arrayContaining(["RLO", "PDF", "ZWSP", "NBSP", "ESC", "TAB", "FSI", "PDI", "×400"]));
    const drawn = await card.innerText();
    expect(drawn).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/);
    expect(await card.getByRole("img", { name: "Turns the direction of the text around: RLO" }).count()).toBe(2);
    await page.context().close();
  });

  test("Confirm stays off until all of a long change could be read", async () => {
    const page = await gallery.show("card-long");
    const confirm = page.getByRole("button", { name: "Confirm" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Show all" }).click();
    const whole = page.getByRole("region", { name: "The whole change" });
    await whole.waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await whole.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight / 3));
    expect(await confirm.isDisabled()).toBe(true);
    // By keyboard: the frame has the focus.
    await page.keyboard.press("End");
    await expect.poll(() => confirm.isDisabled(), patient).toBe(false);
    await page.context().close();
  });

  test("what a tool is given is folded away as text, to the letter", async () => {
    const page = await gallery.show("card-details");
    const text = await page.locator(".cs-details pre").innerText();
    expect(text).toContain('"amount": 1240.00');
    await page.context().close();
  });
});
