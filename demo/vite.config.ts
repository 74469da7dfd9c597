import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";

const conditions = ["countersign-source", "module", "browser", "production"];

/** How the page is built: the office with the panel in it, the administrator's pages, and the panel alone for the page with one script tag. */
export function pageBuild(options: {
  readonly root: string;
  readonly outDir: string;
  readonly entry: "main" | "admin" | "panel";
  readonly watch: boolean;
}): InlineConfig {
  const { root, outDir, entry, watch } = options;
  const input = { main: `${root}/page/main.tsx`, admin: `${root}/page/admin.tsx`, panel: `${root}/page/panel.ts` }[
    entry
  ];
  return {
    root: `${root}/page`,
    configFile: false,
    logLevel: "warn",
    clearScreen: false,
    plugins: [react()],
    resolve: { conditions },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    publicDir: entry === "main" ? `${root}/page/public` : false,
    build: {
      outDir,
      emptyOutDir: false,
      target: "es2022",
      reportCompressedSize: false,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      watch: watch ? {} : null,
      rolldownOptions: {
        input: { [entry]: input },
        output: { entryFileNames: "[name].js", assetFileNames: "[name][extname]", codeSplitting: false },
      },
    },
  };
}
