import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AssistantPanel } from "../../src/react/assistant-panel.tsx";
import { desk, openGallery } from "./open-gallery.ts";
import type { Gallery } from "./open-gallery.ts";
import { suggestions } from "./scene-data.ts";

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

test("what a server drew comes alive in a strict page as it is, drawn anew nowhere, and works", async () => {
  const drawn = renderToString(createElement(AssistantPanel, { baseUrl: "/assistant", locale: "en-GB", suggestions }));
  const page = await gallery.openPage({ viewport: desk });
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace("></main>", `>${drawn}</main>`);
      await route.fulfill({ response, body });
    },
  );
  // Marked by a property, before any script of the page runs.
  await page.addInitScript(() => {
    document.addEventListener(
      "readystatechange",
      () => Object.assign(document.querySelector(".cs-panel") ?? {}, { isServers: true }),
      { once: true },
    );
  });
  await gallery.turnTo(page, "panel-empty");
  expect(await page.locator(".cs-panel").evaluate((panel) => "isServers" in panel)).toBe(true);
  await page.getByRole("textbox", { name: "Message" }).fill("Who owes us money?");
  await page.keyboard.press("Enter");
  await page.locator(".cs-question", { hasText: "Who owes us money?" }).waitFor();
  expect(await gallery.faults(page)).toEqual([]);
  await page.context().close();
});
