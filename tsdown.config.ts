import { defineConfig } from "tsdown";

export default defineConfig([
  {
    // One file for each source file, so that what is found by `import.meta.url` (migrations) stands where it stood.
    entry: [
      "src/index.ts",
      "src/client/index.ts",
      "src/react/index.ts",
      "src/react/admin/index.ts",
      "src/assistant-ui/index.ts",
      "src/react/panel-element.ts",
      "src/testing/index.ts",
      "src/redis/index.ts",
      "src/cli/countersign.ts",
      // A program of its own, run as a child process.
      "src/attachment/reader/read-file.ts",
    ],
    root: "src",
    unbundle: true,
    fixedExtension: false,
    target: "node22.18",
    dts: true,
    sourcemap: true,
    deps: { neverBundle: true },
    copy: [{ from: "src/database/migrations/*.sql", to: "dist/database/migrations" }],
    report: { summary: true },
  },
  {
    // The headless client as a host's bundler would ship it: measured against its limit, never published.
    entry: { client: "src/client/index.ts" },
    outDir: "dist/measured",
    platform: "browser",
    target: "es2022",
    minify: true,
    // A host's own bundler ships no comments.
    outputOptions: { comments: false },
    dts: false,
    report: false,
  },
]);
