// Photographs the running demo for the README: docs/card.png, the card of a change that waits. node scripts/picture.ts
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDemo } from "../demo/demo.ts";
import { launchBrowser } from "../test/browser/browser.ts";

const home = await mkdtemp(path.join(tmpdir(), "countersign-picture-"));
await chmod(home, 0o755);
const demo = await startDemo({ port: "0", home, environment: {}, page: "fresh" });
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1_240, height: 760 }, deviceScaleFactor: 2 });
  await page.goto(demo.url);
  await page.getByRole("button", { name: "Maja Lind" }).click();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Void invoice INV-1044");
  await field.press("Enter");
  await page.locator('.cs-card[data-state="waiting"]').waitFor();
  // The page scrolls to its end in the next frames.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
  await page.screenshot({ path: path.join(import.meta.dirname, "../docs/card.png") });
} finally {
  await browser.close();
  await demo.stop();
  await rm(home, { recursive: true, force: true });
}
