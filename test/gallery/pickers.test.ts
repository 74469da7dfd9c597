import { afterAll, beforeAll, expect, test } from "vitest";
import { openGallery, phone, type Gallery } from "./open-gallery.ts";

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery.close());

const accepted = "application/pdf,image/png,image/jpeg";

test("at a desk files are chosen by one button, which offers the types that are taken", async () => {
  const page = await gallery.show("files-waiting");
  const [choosing] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Attach files" }).click(),
  ]);
  expect(choosing.isMultiple()).toBe(true);
  expect(await choosing.element().getAttribute("accept")).toBe(accepted);
  expect(await page.getByRole("button", { name: "Take a photo" }).isVisible()).toBe(false);
  await page.context().close();
});

test("on a phone a second button opens its camera, and the photo waits in the composer", async () => {
  const page = await gallery.show("files-waiting", { viewport: phone, hasTouch: true, isMobile: true });
  const [choosing] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Take a photo" }).tap(),
  ]);
  expect(await choosing.element().getAttribute("capture")).toBe("environment");
  expect(await choosing.element().getAttribute("accept")).toBe("image/png,image/jpeg");
  await choosing.setFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.from("a photo") });
  await page.locator(".cs-file", { hasText: "photo.jpg" }).waitFor();
  await page.context().close();
});
