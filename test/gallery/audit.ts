import axe from "axe-core";
import type { Page } from "playwright-core";

/** The serious and critical faults that axe finds in a page, in the theme named. */
export async function audit(page: Page, theme: "light" | "dark"): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (wanted) => {
    document.documentElement.dataset["theme"] = wanted;
    // What fades in is judged where it ends.
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.all(ending.map((one) => one.finished));
    const { axe: auditor } = window as unknown as { readonly axe: typeof axe };
    const { violations } = await auditor.run(document, { resultTypes: ["violations"], preload: false });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${wanted}, ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }, theme);
}
