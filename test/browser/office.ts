import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";

/** The demo's page as its user drives it: by what is written on it. */
export interface OfficeUser {
  signIn(name: string): Promise<void>;
  ask(text: string): Promise<void>;
  openChat(title: string): Promise<void>;
  /** The newest card. */
  card(): Locator;
  /** Waits until the newest card is in a state. */
  cardIs(state: string): Promise<void>;
  /** The status of an invoice in the host's own table. */
  statusOf(invoice: string): Promise<string | null>;
  waitForStatus(invoice: string, status: string): Promise<void>;
}

export function officeUser(page: Page, url: string): OfficeUser {
  const row = (invoice: string): Locator => page.locator(`tr[data-row="${invoice}"]`);
  const card = (): Locator => page.locator(".cs-card").last();
  return {
    async signIn(name) {
      await page.goto(url);
      await page.getByRole("button", { name }).click();
      await page.getByRole("textbox", { name: "Message" }).waitFor();
    },
    async ask(text) {
      const field = page.getByRole("textbox", { name: "Message" });
      await field.fill(text);
      await field.press("Enter");
      await page.getByText(text).first().waitFor();
    },
    async openChat(title) {
      await page.getByRole("button", { name: "Show chats" }).click();
      await page.getByText(title).first().click();
    },
    card,
    async cardIs(state) {
      await page.locator(`.cs-card[data-state="${state}"]`).last().waitFor();
      expect(await card().getAttribute("data-state")).toBe(state);
    },
    statusOf: (invoice) => row(invoice).locator(".pill").textContent(),
    waitForStatus: (invoice, status) => row(invoice).locator(`.pill.${status}`).waitFor(),
  };
}
