import { defineConfig } from "vitest/config";

// The package's own doors resolve to its source.
const conditions = ["countersign-source"];

export default defineConfig({
  resolve: { conditions: [...conditions, "module", "node", "development|production"] },
  ssr: {
    resolve: {
      conditions: [...conditions, "module", "node", "development|production"],
      externalConditions: [...conditions, "node"],
    },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts", "demo/**/*.test.ts"],
    globalSetup: ["test/setup/global-setup.ts"],
    setupFiles: ["test/setup/watch-logs.ts", "test/setup/watch-pages.ts"],
    pool: "forks",
    maxWorkers: 2,
    execArgv: conditions.map((condition) => `--conditions=${condition}`),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is polled for is decided by rows, not by this clock; a machine under load may take its time.
    expect: { poll: { timeout: 15_000 } },
  },
});
