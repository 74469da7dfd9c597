import { afterAll } from "vitest";
import { findLeaks, watchLogs } from "../../src/testing/log-watch.ts";

// In every test file: no key, no prompt and no answer in any log line of its nodes.
watchLogs();

afterAll(() => {
  const leaks = findLeaks();
  if (leaks.length > 0) throw new Error(`log lines hold what nobody may log:\n${leaks.join("\n")}`);
});
