import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { watchPage } from "../watch-page.ts";

/** Where systems keep a Chromium. */
const places = [
  process.env["COUNTERSIGN_CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** Starts the system's Chromium, or the one that Playwright downloaded; throws one sentence when there is none. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = [...places, chromium.executablePath()].find((place) => place !== "" && existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      "no Chromium was found: run `npx playwright-core install chromium`, or name one in COUNTERSIGN_CHROMIUM.",
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What a page must be free of: broken rules of its content security policy, and errors. Looked at after each test, whether it asks or not. */
export interface Complaints {
  readonly all: readonly string[];
}

/** Opens a page of its own and writes down what it complains of, from its first byte on. */
export async function openPage(
  where: Browser | BrowserContext,
  options: { readonly width?: number; readonly height?: number } = {},
): Promise<{ readonly page: Page; readonly complaints: Complaints }> {
  const page = await where.newPage();
  // Under the tests' own limit, so that a failure says what was waited for.
  page.setDefaultTimeout(30_000);
  await page.setViewportSize({ width: options.width ?? 1_280, height: options.height ?? 820 });
  return { page, complaints: { all: watchPage(page) } };
}
