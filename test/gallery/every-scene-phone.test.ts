import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "./audit.ts";
import { openGallery, phone } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";
import { scenes } from "./scenes.ts";

let gallery: Gallery;
let page: Page;
beforeAll(async () => {
  gallery = await openGallery();
  page = await gallery.show("panel-empty", { reducedMotion: "reduce", viewport: phone, hasTouch: true });
}, 120_000);
afterAll(() => gallery.close());

describe("on a phone every state fits, in Russian too, and nobody is shut out", () => {
  test.each(scenes.map(({ name }) => name))("%s", async (name) => {
    for (const language of ["ru", ""]) {
      await gallery.turnTo(page, name, language === "" ? "" : `lang=${language}`);
      expect(await gallery.faults(page)).toEqual([]);
      // Nothing is wider than the phone.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    }
    expect(await audit(page, "light")).toEqual([]);
  });
});
