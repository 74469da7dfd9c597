import { loadavg } from "node:os";
import type { Browser, CDPSession, Page } from "playwright-core";
import { launchBrowser } from "../test/browser.ts";
import { quantile, round } from "./measure.ts";
import { openPanelPage, type PanelPage } from "./panel-page.ts";

const messages = 10_000;
const keys = 120;

declare global {
  interface Window {
    /** What the bench notes in its page. */
    noted: { opened: number | null; paints: number[]; frames: number[] };
  }
}

/** The built panel in a real browser: opening a long chat, scrolling it, typing while an answer streams, memory. */
export async function benchPanel(runs = 5): Promise<object> {
  const served = await openPanelPage(messages);
  const browser = await launchBrowser();
  try {
    const opened = { at_1x: [] as number[], at_4x: [] as number[] };
    for (let run = 0; run < runs; run++) {
      for (const slowdown of [1, 4] as const) {
        const { page } = await openChat(browser, served, slowdown);
        opened[`at_${slowdown}x`].push(await page.evaluate(() => window.noted.opened ?? Number.NaN));
        await page.context().close();
      }
    }
    return {
      messages,
      // Others on the machine make wall times longer: 1 is one processor busy.
      load_average: round(loadavg()[0] ?? 0, 1),
      open_ms: { p50_1x: median(opened.at_1x), p50_4x: median(opened.at_4x) },
      typing_4x: {
        panel: await typeWhileStreaming(served, await openChat(browser, served, 4)),
        bare_field: await typeWhileStreaming(served, await openBare(browser, served, 4)),
      },
      scrolling: { at_1x: await scroll(browser, served, 1), at_4x: await scroll(browser, served, 4) },
      memory: await readAll(browser, served),
    };
  } finally {
    await browser.close();
    await served.close();
  }
}

interface Opened {
  readonly page: Page;
  readonly devtools: CDPSession;
}

/** Opens the chat in a browser without a cache; noted is when its newest messages were painted. */
async function openChat(browser: Browser, { url }: PanelPage, slowdown: number): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 760 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(() => {
    window.noted = { opened: null, paints: [], frames: [] };
    sessionStorage.setItem("countersign:/assistant:open", JSON.stringify("c1"));
    const look = (): void => {
      const root = document.querySelector("countersign-panel")?.shadowRoot;
      if (root?.querySelector(".cs-row .cs-prose") == null) return void requestAnimationFrame(look);
      // The frame that shows it ends before the next begins.
      requestAnimationFrame(() => (window.noted.opened = performance.now()));
    };
    requestAnimationFrame(look);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.noted.opened !== null);
  return { page, devtools };
}

/** A page with a bare field, before the same stream. */
async function openBare(browser: Browser, { url }: PanelPage, slowdown: number): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 760 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.goto(`${url}bare`);
  await page.evaluate(() => (window.noted = { opened: 0, paints: [], frames: [] }));
  return { page, devtools };
}

/** From a key's event to the frame that shows it, while thirty pieces of an answer come a second. */
async function typeWhileStreaming({ assistant }: PanelPage, { page, devtools }: Opened): Promise<object> {
  assistant.tell("c1", {
    type: "turn",
    turn: { turnId: "t9", conversationId: "c1", activity: "answering", toolTitle: null, text: "" },
  });
  const piece = "Some **more** words of it, ";
  let at = 0;
  let told = 0;
  const stream = setInterval(() => {
    const text = (told += 1) % 12 === 0 ? `${piece}and an end.\n\n` : piece;
    assistant.tell("c1", { type: "delta", turnId: "t9", at, text });
    at += text.length;
  }, 1000 / 30);
  try {
    await page.evaluate(() => {
      addEventListener(
        "keydown",
        (event) => {
          const channel = new MessageChannel();
          channel.port1.addEventListener("message", () => {
            window.noted.paints.push(performance.now() - event.timeStamp);
          });
          channel.port1.start();
          requestAnimationFrame(() => channel.port2.postMessage(null));
        },
        { capture: true },
      );
    });
    await page.getByRole("textbox", { name: "Message" }).focus();
    const before = await taskMs(devtools);
    for (let key = 0; key < keys; key++) {
      await page.keyboard.press("abcdefghij "[key % 11] ?? "a");
      await page.waitForTimeout(80);
    }
    const paints = await page.evaluate(() => window.noted.paints);
    const busy = (await taskMs(devtools)) - before;
    return {
      keys: paints.length,
      p50_ms: round(quantile(paints, 0.5), 1),
      p95_ms: round(quantile(paints, 0.95), 1),
      longest_ms: round(Math.max(...paints), 1),
      // Of the main thread alone, with all that streams meanwhile, whatever else the machine does.
      cpu_ms_a_key: round(busy / paints.length, 1),
    };
  } finally {
    clearInterval(stream);
    assistant.tell("c1", { type: "turn_ended", turnId: "t9", how: "stopped", asked: true });
    await page.context().close();
  }
}

/** Processor time of the main thread so far. */
async function taskMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
}

/** Frames that were not drawn in time while the wheel turns for five seconds, through pages that are fetched meanwhile. */
async function scroll(browser: Browser, served: PanelPage, slowdown: number): Promise<object> {
  const { page } = await openChat(browser, served, slowdown);
  await page.mouse.move(700, 400);
  await page.evaluate(() => {
    let last = performance.now();
    const note = (now: number): void => {
      window.noted.frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const end = performance.now() + 5_000;
  while (performance.now() < end) {
    await page.mouse.wheel(0, -180);
    await page.waitForTimeout(16);
  }
  const frames = (await page.evaluate(() => window.noted.frames)).slice(5);
  const dropped = frames.reduce((sum, length) => sum + Math.max(0, Math.round(length / (1000 / 60)) - 1), 0);
  const rows = await page.evaluate(
    () => document.querySelector("countersign-panel")?.shadowRoot?.querySelectorAll(".cs-row").length ?? 0,
  );
  await page.context().close();
  return {
    frames: frames.length + dropped,
    dropped_share: round(dropped / (frames.length + dropped), 3),
    longest_frame_ms: round(Math.max(...frames), 1),
    rows_drawn: rows,
  };
}

/** The heap after the newest page, after all of the chat was read, and after it was left for a new one. */
async function readAll(browser: Browser, served: PanelPage): Promise<object> {
  const { page, devtools } = await openChat(browser, served, 1);
  const heap = async (): Promise<number> => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    return round(usedSize / 1_048_576, 1);
  };
  const newest = await heap();
  const elements = (): Promise<number> =>
    page.evaluate(() => document.querySelector("countersign-panel")?.shadowRoot?.querySelectorAll("*").length ?? 0);
  const isAll = await page.evaluate(async () => {
    const root = document.querySelector("countersign-panel")?.shadowRoot;
    for (let tries = 0; tries < 20_000; tries += 1) {
      const box = root?.querySelector(".cs-thread");
      if (box?.textContent.includes("Question 1:") === true) return true;
      if (box) box.scrollTop = 0;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return false;
  });
  if (!isAll) throw new Error("the chat could not be read to its beginning");
  const read = await heap();
  const drawn = await elements();
  await page.getByRole("button", { name: "New chat" }).first().click();
  const left = await heap();
  await page.context().close();
  return { newest_page_mb: newest, all_read_mb: read, elements_then: drawn, left_mb: left };
}

function median(values: readonly number[]): number {
  return round(quantile(values, 0.5), 0);
}
