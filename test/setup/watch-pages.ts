import { afterEach } from "vitest";
import { takeFaults } from "../watch-page.ts";

// In every test with a browser: no rule of a page's policy is broken, nothing is thrown, no error is on its console.
afterEach(() => {
  const faults = takeFaults();
  if (faults.length > 0) throw new Error(`a page complains:\n${faults.join("\n")}`);
});
