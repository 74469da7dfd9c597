import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Browser, Locator, Page } from "playwright-core";
import { createGate } from "../../src/testing/gate.ts";
import { createHome, startDemoProcess } from "../demo/demo-process.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { startModelServer } from "./chat-completions.ts";
import { officeUser } from "./office.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let browser: Browser;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

const answerOf = (page: Page): Locator => page.locator(".cs-answer").last();
const stopOf = (page: Page): Locator => page.getByRole("button", { name: "Stop", exact: true });

test("an answer goes on after a reload in its middle, and in a second tab, which can stop it", async () => {
  const [second, third] = [createGate(), createGate()];
  const gates = [null, second, third];
  const models = await startModelServer(() => ({
    text: ["It began in March. ", "Then came April. ", "And so on."],
    before: async (piece) => gates[piece]?.pass(),
  }));
  ends.push(models.close);
  const { home, remove } = await createHome();
  ends.push(remove);
  const demo = await startDemoProcess({ COUNTERSIGN_HOME: home, COUNTERSIGN_MODEL_URL: models.url });
  ends.push(() => demo.end());
  if (demo.url === null) throw new Error(demo.output());

  const context = await browser.newContext({ locale: "en-GB" });
  const { page, complaints } = await openPage(context);
  const user = officeUser(page, demo.url);
  await user.signIn("Maja Lind");
  await user.ask("How did it come to this?");
  await answerOf(page).getByText("It began in March.").waitFor();
  await stopOf(page).waitFor();

  await page.reload();
  await answerOf(page).getByText("It began in March.").waitFor();
  await page.locator(".cs-activity", { hasText: "Writing…" }).waitFor();
  expect(await stopOf(page).isEnabled()).toBe(true);

  const other = await openPage(context);
  await other.page.goto(demo.url);
  await officeUser(other.page, demo.url).openChat("How did it come to this?");
  await answerOf(other.page).getByText("It began in March.").waitFor();
  expect(await stopOf(other.page).isEnabled()).toBe(true);

  second.open();
  for (const tab of [page, other.page]) {
    await answerOf(tab).getByText("It began in March. Then came April.").waitFor();
  }

  await stopOf(other.page).click();
  for (const tab of [page, other.page]) {
    await tab.locator(".cs-activity", { hasText: "Stopping…" }).waitFor();
    expect(await stopOf(tab).isDisabled()).toBe(true);
  }
  // The model's call is let finish; what it still says is not shown.
  third.open();
  for (const tab of [page, other.page]) {
    await tab.locator(".cs-notice", { hasText: "You stopped this answer." }).waitFor();
    await tab.getByRole("button", { name: "Send" }).waitFor();
    expect(await tab.locator(".cs-thread").innerText()).not.toMatch(/March|April|And so on/);
  }
  expect(models.requests).toHaveLength(1);
  expect([...complaints.all, ...other.complaints.all]).toEqual([]);
  await context.close();
});
