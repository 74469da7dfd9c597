import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "./audit.ts";
import { openGallery } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";
import { scenes } from "./scenes.ts";

let gallery: Gallery;
let page: Page;
beforeAll(async () => {
  gallery = await openGallery();
  page = await gallery.show("panel-empty", { reducedMotion: "reduce" });
}, 120_000);
afterAll(() => gallery.close());

describe("in every state nothing is forbidden by a strict policy, nothing fails, and nobody is shut out, in light and dark", () => {
  test.each(scenes.map(({ name }) => name))("%s", async (name) => {
    await gallery.turnTo(page, name);
    expect(await gallery.faults(page)).toEqual([]);
    expect([...(await audit(page, "light")), ...(await audit(page, "dark"))]).toEqual([]);
  });
});
