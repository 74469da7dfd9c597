// The panel's colours, sizes and small parts. A host sets the variables that begin with --countersign-; colours follow
// the page's `color-scheme` by light-dark().
export const base = /* css */ `
.cs-panel {
  --cs-bg: var(--countersign-background, light-dark(#ffffff, #17181b));
  --cs-surface: var(--countersign-surface, light-dark(#f7f7f5, #1d1f23));
  --cs-raised: var(--countersign-raised, light-dark(#ffffff, #212328));
  --cs-line: var(--countersign-border, light-dark(#e4e4df, #32353b));
  --cs-line-strong: light-dark(#c9c9c2, #4a4e57);
  --cs-text: var(--countersign-text, light-dark(#1d1e21, #e9eaec));
  --cs-muted: var(--countersign-muted, light-dark(#5f6168, #a4a8b0));
  --cs-accent: var(--countersign-accent, light-dark(#2c55c2, #9db8ff));
  --cs-on-accent: var(--countersign-on-accent, light-dark(#ffffff, #0f1b3d));
  --cs-good: var(--countersign-success, light-dark(#18713f, #74d49f));
  --cs-warn: var(--countersign-warning, light-dark(#865000, #efb767));
  --cs-bad: var(--countersign-danger, light-dark(#b0261d, #ff9d94));
  --cs-accent-soft: color-mix(in oklab, var(--cs-accent) 9%, var(--cs-raised));
  --cs-warn-soft: color-mix(in oklab, light-dark(#ffb524, #b57b1c) 17%, var(--cs-raised));
  --cs-bad-soft: color-mix(in oklab, light-dark(#f2564a, #d8453a) 15%, var(--cs-raised));
  --cs-hover: color-mix(in oklab, var(--cs-text) 6%, transparent);
  --cs-radius: var(--countersign-radius, 14px);
  --cs-mono: var(--countersign-mono, ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace);
  --cs-shadow: 0 1px 2px light-dark(#1d1e2112, #0006), 0 6px 20px light-dark(#1d1e210f, #0005);

  box-sizing: border-box;
  display: block;
  width: 100%;
  height: 100%;
  min-height: 320px;
  overflow: hidden;
  background: var(--cs-bg);
  color: var(--cs-text);
  font: var(--countersign-size, 15px)/1.55 var(--countersign-font, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", Ubuntu, "Helvetica Neue", Arial, sans-serif);
  text-align: start;
  letter-spacing: normal;
  -webkit-text-size-adjust: 100%;
  -webkit-font-smoothing: antialiased;
}
.cs-panel[data-theme="light"] { color-scheme: light; }
.cs-panel[data-theme="dark"] { color-scheme: dark; }
.cs-panel :where(*, ::before, ::after) { box-sizing: border-box; }
.cs-panel :where(p, h2, h3, ul, ol, dl, dd, figure, pre, blockquote, form, header, footer, section, table) { margin: 0; padding: 0; border: 0; }
.cs-panel :where(h2, h3) { font-size: 1em; font-weight: 600; line-height: 1.35; color: inherit; }
.cs-panel :where(ul) { list-style: none; }
.cs-panel :where(button, input, textarea) {
  margin: 0; padding: 0; border: 0; border-radius: 8px; background: none; color: inherit;
  font: inherit; letter-spacing: inherit; text-align: inherit; text-transform: none; box-shadow: none; appearance: none;
}
.cs-panel :where(button) { cursor: pointer; touch-action: manipulation; }
.cs-panel :where(button:disabled) { cursor: default; }
.cs-panel :where(a) { color: var(--cs-accent); text-underline-offset: 2px; }
.cs-panel :focus-visible { outline: 2px solid var(--cs-accent); outline-offset: 2px; }
.cs-panel [hidden] { display: none; }

.cs-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.cs-panel .cs-quiet { color: var(--cs-muted); font-size: 0.87em; }
.cs-icon { flex: none; width: 1.2em; height: 1.2em; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.cs-spinner { flex: none; display: inline-block; width: 1em; height: 1em; border: 2px solid currentColor; border-inline-end-color: transparent; border-radius: 50%; animation: cs-turn 0.8s linear infinite; }
@keyframes cs-turn { to { transform: rotate(1turn); } }

.cs-panel .cs-button {
  display: inline-flex; align-items: center; justify-content: center; gap: 6px;
  min-height: 36px; padding: 6px 14px; border: 1px solid var(--cs-line-strong); border-radius: 9px;
  background: var(--cs-raised); font-weight: 500; line-height: 1.3; white-space: nowrap; transition: background 0.12s, border-color 0.12s;
}
.cs-panel .cs-button:hover:not(:disabled) { background: color-mix(in oklab, var(--cs-text) 5%, var(--cs-raised)); }
.cs-panel .cs-button:disabled { opacity: 0.5; }
.cs-panel .cs-primary { border-color: var(--cs-accent); background: var(--cs-accent); color: var(--cs-on-accent); font-weight: 600; }
.cs-panel .cs-primary:hover:not(:disabled) { background: color-mix(in oklab, var(--cs-accent) 88%, var(--cs-text)); }
.cs-panel .cs-tool { display: inline-grid; place-items: center; width: 32px; height: 32px; border-radius: 8px; color: var(--cs-muted); }
.cs-panel .cs-tool:hover { background: var(--cs-hover); color: var(--cs-text); }
.cs-panel .cs-small { display: inline-flex; align-items: center; gap: 5px; padding: 2px 8px; border-radius: 6px; color: var(--cs-muted); font-size: 0.9em; }
.cs-panel .cs-small:hover { background: var(--cs-hover); color: var(--cs-text); }
.cs-panel .cs-link { display: inline-flex; align-items: center; gap: 6px; padding: 2px 4px; color: var(--cs-accent); font-weight: 600; }
.cs-panel .cs-link:hover { text-decoration: underline; }
.cs-panel .cs-input { width: 100%; padding: 8px 10px; border: 1px solid var(--cs-line-strong); border-radius: 9px; background: var(--cs-bg); }
.cs-panel .cs-input:focus-visible { outline-offset: -1px; }
.cs-panel ::placeholder { color: var(--cs-muted); opacity: 1; }

.cs-mark {
  display: inline-block; padding: 0 0.35em; margin: 0 1px; border-radius: 4px; vertical-align: 0.08em;
  background: var(--cs-warn-soft); box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--cs-warn) 45%, transparent); color: var(--cs-warn);
  font: 600 0.68em/1.5 var(--cs-mono); text-decoration: none; letter-spacing: 0.02em; white-space: nowrap;
}

@media (prefers-reduced-motion: reduce) {
  .cs-panel *, .cs-panel ::before { animation-duration: 2.5s !important; transition: none !important; }
}
@media (forced-colors: active) {
  .cs-panel .cs-primary { border-width: 2px; }
}
`;
