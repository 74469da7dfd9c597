import type { Browser, BrowserContext, Page } from "playwright-core";
import { writeOfficeHistory, writeRunningTurn } from "../admin/office-history.ts";
import { createHome, startDemoProcess } from "../demo/demo-process.ts";
import { openPage, type Complaints } from "./browser.ts";
import { officeUser } from "./office.ts";

/** How a page is looked at. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
}

export const desk: Look = { width: 1_280, height: 840, colorScheme: "light" };
export const phone: Look = { width: 390, height: 844, colorScheme: "dark" };

/** The demo with a month of work behind it, and its administrator signed in. */
export interface AdminOffice {
  readonly url: string;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: Complaints;
  /** Signs somebody in beside the administrator. */
  enter(name: string): Promise<{ readonly page: Page; readonly context: BrowserContext }>;
  /** Opens a section in a page, and waits until it was read. */
  open(page: Page, hash: string): Promise<void>;
  /** Leaves a turn that runs on a node of its own. */
  leaveTurnRunning(): Promise<void>;
  end(): Promise<void>;
}

/** Starts it. Without `history` the office is as new. */
export async function startAdminOffice(
  browser: Browser,
  {
    look,
    history = true,
    environment = {},
  }: { readonly look: Look; readonly history?: boolean; readonly environment?: Readonly<Record<string, string>> },
): Promise<AdminOffice> {
  const { home, remove } = await createHome();
  const demo = await startDemoProcess({ COUNTERSIGN_HOME: home, ...environment });
  const { url } = demo;
  if (url === null) throw new Error(demo.output());
  if (history) await writeOfficeHistory(home);
  const { colorScheme, ...size } = look;
  const options = { locale: "en-GB", colorScheme, reducedMotion: "reduce" } as const;
  const enter = async (name: string) => {
    const context = await browser.newContext(options);
    const { page, complaints } = await openPage(context);
    await officeUser(page, url).signIn(name);
    return { context, page, complaints };
  };
  const ines = await enter("Ines Duarte");
  await ines.page.setViewportSize(size);
  return {
    url,
    ...ines,
    enter,
    async open(page, hash) {
      await page.goto(`${url}/admin`);
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await page.locator(".cs-admin-main h1").waitFor();
      await page.locator(".cs-wait").first().waitFor({ state: "detached" });
    },
    leaveTurnRunning: () => writeRunningTurn(home),
    async end() {
      await ines.context.close();
      await demo.end();
      await remove();
    },
  };
}
