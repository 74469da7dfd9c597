import type { Page } from "playwright-core";

const watched = new Map<Page, string[]>();

/** The browser's own line for a request that was refused or lost; every other error on the console is a fault. */
const lostRequest = /^Failed to load resource: /;

/**
 * Writes down what a page must be free of, from its first byte on: rules of its policy that were broken, errors that
 * nobody caught, and every error on its console. After each test what was written down fails it: see `test/setup/watch-pages.ts`.
 */
export function watchPage(page: Page): string[] {
  const faults: string[] = [];
  watched.set(page, faults);
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    // Chromium says a broken rule of the policy on the console, whoever broke it.
    if (message.type() === "error" && !lostRequest.test(message.text())) faults.push(message.text());
  });
  page.on("close", () => faults.length === 0 && watched.delete(page));
  return faults;
}

/** What was written down and not taken yet, of all pages. */
export function takeFaults(): readonly string[] {
  return [...watched.values()].flatMap((faults) => faults.splice(0));
}
