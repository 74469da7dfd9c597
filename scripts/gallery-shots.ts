import { mkdir } from "node:fs/promises";
import { launchBrowser } from "../test/browser.ts";
import { scenes } from "../test/gallery/scenes.ts";
import { serveGallery } from "../test/gallery/serve-gallery.ts";

// Photographs every scene of the gallery into shots/, in light and dark, on a desk and on a phone.
// node scripts/gallery-shots.ts [part of a scene's name] [light|dark] [desk|phone]

const [part = "", onlyTheme, onlySize] = process.argv.slice(2);
const sizes = { desk: { width: 1100, height: 760 }, phone: { width: 390, height: 780 } } as const;
const gallery = await serveGallery();
const browser = await launchBrowser();
await mkdir("shots", { recursive: true });
let failed = 0;

for (const theme of ["light", "dark"] as const) {
  if (onlyTheme !== undefined && onlyTheme !== theme) continue;
  for (const size of ["desk", "phone"] as const) {
    if (onlySize !== undefined && onlySize !== size) continue;
    const context = await browser.newContext({ viewport: sizes[size], deviceScaleFactor: size === "phone" ? 2 : 1 });
    for (const { name } of scenes.filter((scene) => scene.name.includes(part))) {
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") console.log(name, message.text());
      });
      await page.goto(`${gallery.url}/?scene=${name}&theme=${theme}`);
      const ready = await page.waitForFunction(() => document.documentElement.dataset["ready"]);
      const state = await ready.jsonValue();
      if (state !== "true") {
        failed += 1;
        console.log(`${name}: ${state}`);
      }
      await page.waitForTimeout(350);
      await page.screenshot({ path: `shots/${name}.${theme}.${size}.png` });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
await gallery.close();
if (failed > 0) process.exitCode = 1;
