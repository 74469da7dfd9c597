import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toPage, toPng } from "../attachments/made-files.ts";
import { createHome, startDemoProcess } from "../demo/demo-process.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { startModelServer, type ModelServer } from "./chat-completions.ts";
import { startLine } from "./line.ts";
import { officeUser } from "./office.ts";

// A browser, a database and a build: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let browser: Browser;
let models: ModelServer;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  models = await startModelServer(() => ({ text: ["A grey ", "square."] }));
  ends.push(models.close);
});
afterAll(async () => {
  await browser?.close();
  for (const end of ends.toReversed()) await end();
});

async function startDemo(environment: Readonly<Record<string, string>>): Promise<string> {
  const { home, remove } = await createHome();
  ends.push(remove);
  const demo = await startDemoProcess({ COUNTERSIGN_HOME: home, COUNTERSIGN_MODEL_URL: models.url, ...environment });
  ends.push(() => demo.end());
  if (demo.url === null) throw new Error(demo.output());
  return demo.url;
}

/** Drops files on the chat, as a hand with a mouse does. */
async function drop(page: Page, files: Readonly<Record<string, Buffer>>): Promise<void> {
  // Whether files are taken is told with who is signed in.
  await page.getByRole("button", { name: "Attach files" }).waitFor();
  const sent = Object.entries(files).map(([name, bytes]) => ({ name, bytes: bytes.toString("base64") }));
  await page.evaluate((given) => {
    const data = new DataTransfer();
    for (const { name, bytes } of given) {
      data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
    }
    const target = document.querySelector(".cs-main");
    for (const type of ["dragenter", "dragover", "drop"]) {
      target?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    }
  }, sent);
}

/** Names and states of what the server keeps for the open chat, over all chats of the user. */
function keptOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const read = async (path: string) =>
      (await fetch(`/assistant${path}`, { headers: { "x-countersign": "1" } })).json();
    const { conversations } = (await read("/conversations")) as { conversations: { id: string }[] };
    const answers = await Promise.all(conversations.map(({ id }) => read(`/conversations/${id}/attachments`)));
    return (answers as { attachments: { name: string; state: string }[] }[])
      .flatMap(({ attachments }) => attachments)
      .map(({ name, state }) => `${name} ${state}`);
  });
}

const waiting = (page: Page): Locator => page.locator(".cs-composer .cs-file");
/** As many files wait as this, and all are ready. */
async function areReady(page: Page, count: number): Promise<void> {
  const ready = page.locator('.cs-composer .cs-file[data-state="ready"]');
  await expect.poll(() => ready.count(), { timeout: 30_000 }).toBe(count);
  expect(await waiting(page).count()).toBe(count);
}

const pdf = toPage("BT /F 12 Tf (Total due: 4711) Tj ET");
// Noise, so that it is large enough to be seen on its way.
const photo = toPng(
  400,
  400,
  Buffer.from(Array.from({ length: 400 * 1_201 }, (_none, at) => (at % 1_201 === 0 ? 0 : (at * at) % 251))),
);

describe("A PDF and a picture dropped on the chat", () => {
  test("are seen on their way, sent, and seen in the message; the model gets the text of one and the other as a picture", async () => {
    const url = await startDemo({ COUNTERSIGN_MODEL_IMAGES: "1" });
    const context = await browser.newContext({ locale: "en-GB" });
    const { page, complaints } = await openPage(context);
    const user = officeUser(page, url);
    await user.signIn("Maja Lind");
    // As a slow line would: so that the bar is there long enough to be seen.
    const line = await context.newCDPSession(page);
    await line.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 60_000,
    });
    await drop(page, { "bill.pdf": pdf, "photo.png": photo });
    await page.locator(".cs-composer .cs-file progress").first().waitFor({ state: "attached" });
    await line.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await areReady(page, 2);

    await user.ask("What is this?");
    const sent = page.locator(".cs-question .cs-file");
    await page.getByText("A grey square.", { exact: true }).waitFor();
    expect(await sent.count()).toBe(2);
    await expect.poll(() => waiting(page).count()).toBe(0);
    const thumbnail = page.locator(".cs-question .cs-file img");
    await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

    const said = JSON.stringify(models.requests.at(-1)?.messages);
    expect(said).toContain("Total due: 4711");
    expect(said).toMatch(/"image_url":\{"url":"data:image\/(png|jpeg);base64,/);

    const saved = page.waitForEvent("download");
    await page.locator(".cs-question .cs-file", { hasText: "bill.pdf" }).click();
    expect((await saved).suggestedFilename()).toBe("bill.pdf");
    expect(complaints.all).toEqual([]);
    await context.close();
  });

  test("come back to the composer when the model does not see pictures, and can be sent without the picture", async () => {
    const url = await startDemo({});
    const context = await browser.newContext({ locale: "en-GB" });
    const { page, complaints } = await openPage(context);
    const user = officeUser(page, url);
    await user.signIn("Maja Lind");
    await drop(page, { "bill.pdf": pdf, "photo.png": toPng(20, 20) });
    await areReady(page, 2);
    const before = models.requests.length;
    await user.ask("What is this?");
    await page.getByText("cannot see pictures").first().waitFor();
    expect(models.requests.length).toBe(before);
    await areReady(page, 2);
    expect(await page.locator(".cs-question .cs-file").count()).toBe(0);

    await waiting(page)
      .filter({ hasText: "photo.png" })
      .getByRole("button", { name: /remove/i })
      .click();
    await areReady(page, 1);
    await user.ask("Then this alone");
    await page.getByText("A grey square.", { exact: true }).waitFor();
    expect(await page.locator(".cs-question .cs-file").count()).toBe(1);
    expect(complaints.all).toEqual([]);
    await context.close();
  });
});

test("a file whose line breaks says so, is sent again on a click, and is there once; one that is taken out on its way is nowhere", async () => {
  const line = await startLine(await startDemo({}));
  ends.push(line.close);
  const context = await browser.newContext({ locale: "en-GB" });
  const { page } = await openPage(context);
  await officeUser(page, line.url).signIn("Maja Lind");
  const large = Buffer.alloc(15_000_000, "some words, ");
  const chip = (name: string): Locator => waiting(page).filter({ hasText: name });
  const isOnItsWay = async (name: string): Promise<void> => {
    const bar = chip(name).locator("progress");
    await expect
      .poll(() => bar.evaluate(({ value }: HTMLProgressElement) => value), { timeout: 30_000 })
      .toBeGreaterThan(0);
  };

  line.set("held");
  await drop(page, { "broken.txt": large });
  await isOnItsWay("broken.txt");
  line.set("broken");
  await expect.poll(() => chip("broken.txt").getAttribute("data-state"), { timeout: 30_000 }).toBe("failed");
  expect(await chip("broken.txt").innerText()).toMatch(/connection|reach/i);
  line.set("whole");
  await chip("broken.txt")
    .getByRole("button", { name: /try again/i })
    .click();
  await areReady(page, 1);
  await expect.poll(() => keptOf(page)).toEqual(["broken.txt ready"]);

  line.set("held");
  await drop(page, { "unwanted.txt": large });
  await isOnItsWay("unwanted.txt");
  await chip("unwanted.txt")
    .getByRole("button", { name: /remove/i })
    .click();
  line.set("whole");
  await expect.poll(() => chip("unwanted.txt").count()).toBe(0);
  await expect.poll(() => keptOf(page), { timeout: 30_000 }).toEqual(["broken.txt ready"]);
  await context.close();
});
