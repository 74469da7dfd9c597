// What a model wrote.
export const prose = /* css */ `
.cs-prose { overflow-wrap: anywhere; unicode-bidi: isolate; }
.cs-prose > * + * { margin-top: 0.7em; }
.cs-prose :where(ul, ol) { padding-inline-start: 1.5em; }
.cs-prose :where(ul) { list-style: disc; }
.cs-prose :where(li + li) { margin-top: 0.25em; }
.cs-prose :where(li > p + *, li > ul, li > ol) { margin-top: 0.35em; }
.cs-prose :where(li)::marker { color: var(--cs-muted); }
.cs-panel .cs-prose h3 { padding-top: 0.25em; font-size: 1.02em; }
.cs-panel .cs-prose h3[data-level="1"] { font-size: 1.2em; }
.cs-panel .cs-prose h3[data-level="2"] { font-size: 1.1em; }
.cs-prose blockquote { padding-inline-start: 14px; border-inline-start: 3px solid var(--cs-line-strong); color: var(--cs-muted); }
.cs-prose hr { height: 1px; border: 0; background: var(--cs-line); }
.cs-prose code { padding: 0.1em 0.35em; border-radius: 5px; background: color-mix(in oklab, var(--cs-text) 7%, transparent); font: 0.88em/1.5 var(--cs-mono); }
.cs-panel .cs-plain { white-space: pre-wrap; }
.cs-place { color: var(--cs-muted); font-size: 0.85em; }
.cs-prose [data-scroll] { position: relative; overflow-x: auto; scrollbar-width: thin; scrollbar-color: var(--cs-line-strong) transparent; }
.cs-table { border: 1px solid var(--cs-line); border-radius: 10px; }
.cs-table table { width: max-content; min-width: 100%; border-collapse: collapse; font-size: 0.93em; overflow-wrap: normal; }
.cs-table :where(th, td) { max-width: 20rem; padding: 7px 12px; border-bottom: 1px solid var(--cs-line); text-align: start; vertical-align: top; font-variant-numeric: tabular-nums; }
.cs-table :where(th, td)[align="right"] { text-align: right; white-space: nowrap; }
.cs-table [data-short] { white-space: nowrap; }
.cs-table :where(th, td)[align="center"] { text-align: center; }
.cs-table th { background: var(--cs-surface); color: var(--cs-muted); font-size: 0.92em; font-weight: 600; white-space: nowrap; }
.cs-table tbody tr:last-child td { border-bottom: 0; }
.cs-code { overflow: hidden; border: 1px solid var(--cs-line); border-radius: 10px; background: var(--cs-surface); }
.cs-code figcaption { display: flex; align-items: center; justify-content: space-between; min-height: 32px; padding: 2px 4px 2px 12px; border-bottom: 1px solid var(--cs-line); color: var(--cs-muted); font-size: 0.82em; }
.cs-code pre { width: max-content; min-width: 100%; padding: 10px 14px; overflow-wrap: normal; }
.cs-code pre code { padding: 0; background: none; font-size: 0.86em; white-space: pre; }
`;
