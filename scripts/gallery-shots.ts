import { mkdir } from "node:fs/promises";
import type { BrowserContext } from "playwright-core";
import { launchBrowser } from "../test/browser.ts";
import { scenes } from "../test/gallery/scenes.ts";
import { serveGallery } from "../test/gallery/serve-gallery.ts";

// Photographs every scene of the gallery into shots/: light and dark in English, light in Russian, on a desk and on a phone.
// npm run shots -- [part of a scene's name] [light|dark|russian] [desk|phone]

const [part = "", onlyLook, onlySize] = process.argv.slice(2);
const looks = { light: "theme=light", dark: "theme=dark", russian: "theme=light&lang=ru" } as const;
const sizes = { desk: { width: 1100, height: 760 }, phone: { width: 390, height: 780 } } as const;

const gallery = await serveGallery();
const browser = await launchBrowser();
await mkdir("shots", { recursive: true });

async function photograph(
  context: BrowserContext,
  { scene, query, path }: { readonly scene: string; readonly query: string; readonly path: string },
): Promise<void> {
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") console.log(scene, message.text());
  });
  await page.goto(`${gallery.url}/?scene=${scene}&${query}`);
  const ready = await page.waitForFunction(() => document.documentElement.dataset["ready"]);
  const state = await ready.jsonValue();
  if (state !== "true") {
    process.exitCode = 1;
    console.log(`${scene}: ${state}`);
  }
  await page.waitForTimeout(350);
  await page.screenshot({ path });
  await page.close();
}

for (const look of Object.keys(looks) as readonly (keyof typeof looks)[]) {
  if (onlyLook !== undefined && onlyLook !== look) continue;
  for (const size of Object.keys(sizes) as readonly (keyof typeof sizes)[]) {
    if (onlySize !== undefined && onlySize !== size) continue;
    const context = await browser.newContext({ viewport: sizes[size], deviceScaleFactor: size === "phone" ? 2 : 1 });
    for (const { name } of scenes) {
      if (!name.includes(part)) continue;
      await photograph(context, { scene: name, query: looks[look], path: `shots/${name}.${look}.${size}.png` });
    }
    await context.close();
  }
}
await browser.close();
await gallery.close();
