import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toSentence } from "../../demo/sentences.ts";
import { createHome, startDemoProcess } from "./demo-process.ts";

let place: Awaited<ReturnType<typeof createHome>>;
beforeAll(async () => {
  place = await createHome();
});
afterAll(() => place.remove());

/** The demo's server without its page, which these tests do not look at. */
const noPage = { COUNTERSIGN_DEMO_PAGE: "watched" };

describe("What stops the demo is said in one sentence with the mend, and it exits with 1", () => {
  /** The one line after what it said it is doing. */
  async function complaint(environment: Readonly<Record<string, string>>): Promise<string> {
    const demo = await startDemoProcess({ COUNTERSIGN_HOME: place.home, ...noPage, ...environment });
    expect(await demo.end()).toBe(1);
    const lines = demo.output().trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^Starting the demo on /);
    return lines[1] ?? "";
  }

  test("a port that is taken", async () => {
    const other = createServer();
    await once(other.listen(0, "127.0.0.1"), "listening");
    const address = other.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    expect(await complaint({ PORT: String(port) })).toBe(
      `port ${port} is taken; stop what uses it, or set PORT to another number.`,
    );
    other.close();
  });

  test("a port that is none", async () => {
    expect(await complaint({ PORT: "seven" })).toBe('PORT: expected a number up to 65535, got "seven".');
  });

  test("a folder that cannot be written", async () => {
    const file = path.join(place.home, "a-file");
    await writeFile(file, "");
    expect(await complaint({ COUNTERSIGN_HOME: path.join(file, "home") })).toMatch(
      /^the folder .* cannot be written; make it writable/,
    );
  });

  test("a database that does not answer", async () => {
    expect(await complaint({ DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" })).toMatch(
      /^no PostgreSQL answers at 127\.0\.0\.1:1 \(ECONNREFUSED\); start it or correct/,
    );
  });

  test("a tool that is defined wrongly, whatever else went wrong with it", () => {
    const error = new Error("countersign: tool crm.update: expected a preview, got none\n    at somewhere");
    expect(toSentence(error)).toBe("tool crm.update: expected a preview, got none");
  });
});

describe("The demo on a fresh folder", () => {
  test("starts, answers under one address, and leaves nothing running when it is told to end", async () => {
    const { home, remove } = await createHome();
    const demo = await startDemoProcess({ COUNTERSIGN_HOME: home, ...noPage });
    expect(demo.output()).toMatch(/ready in \d+ ms, with the demo model/);
    const { port } = new URL(demo.url ?? "");
    const redirected = await fetch(`http://127.0.0.1:${port}/sign-in`, { redirect: "manual" });
    expect(redirected.headers.get("location")).toBe(`${demo.url}/sign-in`);
    const page = await fetch(`${demo.url}/`);
    expect(page.url).toBe(`${demo.url}/sign-in`);
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe");

    expect(await demo.end("SIGINT")).toBe(0);
    expect(existsSync(path.join(home, "postgres", "PG_VERSION"))).toBe(true);
    expect(existsSync(path.join(home, "postgres", "postmaster.pid"))).toBe(false);
    await remove();
  });

  test("two demos on one folder share its PostgreSQL; the last one to end stops it", async () => {
    const { home, remove } = await createHome();
    const demos = await Promise.all([1, 2].map(() => startDemoProcess({ COUNTERSIGN_HOME: home, ...noPage })));
    const pid = path.join(home, "postgres", "postmaster.pid");
    expect(demos.map((demo) => demo.url !== null)).toEqual([true, true]);
    expect(await demos[0]?.end()).toBe(0);
    expect(existsSync(pid)).toBe(true);
    expect((await fetch(`${demos[1]?.url}/sign-in`)).status).toBe(200);
    expect(await demos[1]?.end()).toBe(0);
    expect(existsSync(pid)).toBe(false);
    await remove();
  });
});
