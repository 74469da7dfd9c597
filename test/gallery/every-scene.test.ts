import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openGallery, phone } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";
import { scenes } from "./scenes.ts";

let gallery: Gallery;
let page: Page;
beforeAll(async () => {
  gallery = await openGallery();
  page = await gallery.show("panel-empty", { reducedMotion: "reduce" });
}, 120_000);
afterAll(() => gallery.close());

/** The serious and critical faults that axe finds, by these rules or by all. */
async function audit(rules: readonly string[] = []): Promise<readonly string[]> {
  // What fades in is judged where it ends.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.all(ending.map((one) => one.finished));
  });
  return page.evaluate(async (only) => {
    const { axe: auditor } = window as unknown as { readonly axe: typeof axe };
    const runOnly = only.length === 0 ? {} : { runOnly: [...only] };
    const { violations } = await auditor.run(document, { resultTypes: ["violations"], preload: false, ...runOnly });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }, rules);
}

describe("in every state nothing is forbidden by a strict policy, nothing fails, and nobody is shut out", () => {
  test.each(scenes.map(({ name }) => name))("%s", async (name) => {
    await gallery.turnTo(page, name);
    await page.evaluate(axe.source);
    expect(await gallery.faults(page)).toEqual([]);
    expect(await audit()).toEqual([]);
    await page.evaluate(() => {
      document.documentElement.dataset["theme"] = "dark";
    });
    expect(await audit(["color-contrast"])).toEqual([]);
  });
});

describe("on a phone", () => {
  test.each(["card-waiting", "card-long-whole", "thread-rich", "panel-drawer", "panel-menu", "panel-settings"])(
    "%s",
    async (name) => {
      await page.setViewportSize(phone);
      await gallery.turnTo(page, name);
      await page.evaluate(axe.source);
      expect(await gallery.faults(page)).toEqual([]);
      expect(await audit()).toEqual([]);
      // Nothing is wider than the phone.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    },
  );
});
