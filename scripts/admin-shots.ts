import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { launchBrowser, openPage } from "../test/browser/browser.ts";
import { writeOfficeHistory } from "../test/admin/office-history.ts";
import { createHome, startDemoProcess } from "../test/demo/demo-process.ts";
import { sectionNames, toHash } from "../src/react/admin/section-hash.ts";

// Photographs every administrator's page of the demo into shots/admin/, in light and dark, on a desk and on a phone.
// node --conditions=countersign-source scripts/admin-shots.ts [part of a page's name] [light|dark] [desk|phone] [language]

const [part = "", onlyTheme, onlySize, locale = "en-GB"] = process.argv.slice(2);
const sizes = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
const places = [
  ...sectionNames.map((name) => ({ name: name as string, hash: toHash(name) })),
  { name: "limits-user", hash: toHash("limits", "olu") },
  { name: "endpoint-form", hash: toHash("endpoints") },
  { name: "overview-user", hash: toHash("overview", "olu") },
  { name: "journal-empty", hash: toHash("journal", "nobody") },
  ...(["overview", "journal", "endpoints", "limits"] as const).flatMap((name) => [
    { name: `${name}-waits`, hash: toHash(name) },
    { name: `${name}-fails`, hash: toHash(name) },
  ]),
].filter(({ name }) => name.includes(part));

const apiRoutes = /\/assistant\/admin\//;
const problem = { type: "about:blank", title: "", status: 503, code: "unavailable", retryAfter: 5 };
const unavailable = { status: 503, contentType: "application/problem+json", body: JSON.stringify(problem) };

async function photograph(page: Page, url: string, look: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Ines" }).click();
  await page.waitForURL(`${url}/`);
  for (const { name, hash } of places) {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    if (name.endsWith("-waits")) await page.route(apiRoutes, () => new Promise(() => {}));
    if (name.endsWith("-fails")) await page.route(apiRoutes, (route) => route.fulfill(unavailable));
    await page.goto(`${url}/admin${hash}`);
    await page.reload();
    await page.locator(".cs-admin-head").waitFor();
    if (name === "endpoint-form") await page.locator(".cs-admin-head .cs-primary:enabled").click();
    if (!name.endsWith("-waits")) await page.waitForLoadState("networkidle");
    await page.waitForTimeout(600);
    await page.screenshot({ path: `shots/admin/${name}.${look}.png`, fullPage: true });
  }
}

const { home, remove } = await createHome();
const demo = await startDemoProcess({ COUNTERSIGN_HOME: home });
const browser = await launchBrowser();
try {
  if (demo.url === null) throw new Error(demo.output());
  await mkdir("shots/admin", { recursive: true });
  await writeOfficeHistory(home);
  for (const [colorScheme, size] of [
    ["light", "desk"],
    ["light", "phone"],
    ["dark", "desk"],
    ["dark", "phone"],
  ] as const) {
    if ((onlyTheme ?? colorScheme) !== colorScheme || (onlySize ?? size) !== size) continue;
    const context = await browser.newContext({ locale, colorScheme, deviceScaleFactor: size === "phone" ? 2 : 1 });
    const { page, complaints } = await openPage(context, sizes[size]);
    await photograph(page, demo.url, `${colorScheme}.${size}`);
    for (const complaint of complaints.all) console.log(complaint);
    await context.close();
  }
} finally {
  await browser.close();
  await demo.end();
  await remove();
}
