import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { AssistantClient } from "../../src/client/client.ts";
import { launchBrowser } from "../browser.ts";
import type { ScriptedAssistant } from "../scripted-assistant.ts";
import { watchPage } from "../watch-page.ts";
import { serveGallery } from "./serve-gallery.ts";

declare global {
  interface Window {
    /** What the gallery gives to tests that run in its page. */
    stage: { assistant: ScriptedAssistant; client: AssistantClient };
    /** What the page's policy forbade. */
    forbidden: string[];
  }
}

export interface Gallery {
  readonly url: string;
  /** Shows a scene in a browser of its own. */
  show(scene: string, options?: ShowOptions): Promise<Page>;
  /** A page of its own with nothing in it yet. */
  openPage(options: BrowserContextOptions): Promise<Page>;
  /** Shows another scene in the same page. */
  turnTo(page: Page, scene: string, query?: string): Promise<void>;
  /** What the page's policy forbade, what was thrown, and what was complained of. */
  faults(page: Page): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface ShowOptions extends BrowserContextOptions {
  readonly query?: string;
  readonly theme?: "light" | "dark";
}

export const desk = { width: 1100, height: 760 } as const;
export const phone = { width: 390, height: 780 } as const;

/** Builds, serves and opens the gallery for a file of tests. */
export async function openGallery(policy?: string): Promise<Gallery> {
  const served = await serveGallery(policy);
  const browser: Browser = await launchBrowser();
  const thrown = new WeakMap<Page, string[]>();

  async function openPage(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext({ viewport: desk, ...options });
    const page = await context.newPage();
    thrown.set(page, watchPage(page));
    await page.addInitScript(() => {
      window.forbidden = [];
      addEventListener("securitypolicyviolation", (event) => {
        window.forbidden.push(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    return page;
  }

  async function turnTo(page: Page, scene: string, query = ""): Promise<void> {
    await page.goto(`${served.url}/?scene=${scene}&${query}`);
    const ready = await page.waitForFunction(() => document.documentElement.dataset["ready"]);
    const state = await ready.jsonValue();
    if (state !== "true") throw new Error(`${scene}: ${state}`);
  }

  return {
    url: served.url,
    turnTo,
    async show(scene, { query = "", theme = "light", ...options } = {}) {
      const page = await openPage(options);
      await turnTo(page, scene, `theme=${theme}&${query}`);
      return page;
    },
    openPage,
    async faults(page) {
      const forbidden = await page.evaluate(() => window.forbidden);
      return [...forbidden, ...(thrown.get(page)?.splice(0) ?? [])];
    },
    async close() {
      await browser.close();
      await served.close();
    },
  };
}
