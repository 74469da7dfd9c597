import { defineConfig } from "vite";

/** `countersign/panel.js`: one file with React and its style sheet inside, for a page that has only a script tag. */
export default defineConfig({
  build: {
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    sourcemap: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: "src/react/panel-element.ts",
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "panel.js", codeSplitting: false },
    },
  },
});
