// The card: calm, and unlike anything that a model can write.
export const card = /* css */ `
.cs-card {
  --cs-tone: var(--cs-accent);
  max-width: 38rem; padding: 16px 18px; border: 1px solid color-mix(in oklab, var(--cs-tone) 32%, var(--cs-line)); border-radius: var(--cs-radius);
  background: var(--cs-raised); box-shadow: var(--cs-shadow); overflow-wrap: anywhere; transition: border-color 0.2s, box-shadow 0.2s;
}
.cs-card[data-state="confirmed"] { --cs-tone: var(--cs-good); }
.cs-card[data-state="failed"] { --cs-tone: var(--cs-bad); }
.cs-card[data-state="unavailable"], .cs-card[data-open-end="true"] { --cs-tone: var(--cs-warn); }
.cs-card:is([data-state="rejected"], [data-state="expired"], [data-state="changed"]) { --cs-tone: var(--cs-muted); }
.cs-card:not([data-state="waiting"], [data-state="running"]) { border-color: var(--cs-line); box-shadow: none; }
.cs-card:is([data-state="rejected"], [data-state="expired"], [data-state="changed"], [data-state="failed"]) .cs-change :is(del, ins) { padding: 0; background: none; color: var(--cs-muted); font-weight: 400; text-decoration: none; }
.cs-card:focus { outline: none; }
.cs-card:focus-visible { outline: 2px solid var(--cs-accent); outline-offset: 2px; }

.cs-card-head { display: flex; align-items: flex-start; gap: 12px; }
.cs-card .cs-badge { background: color-mix(in oklab, var(--cs-tone) 12%, var(--cs-raised)); color: var(--cs-tone); }
.cs-card-title { flex: 1; min-width: 0; }
.cs-panel .cs-card-tool { font-size: 1.04em; }
.cs-card-title p { color: var(--cs-muted); font-size: 0.93em; line-height: 1.4; }
.cs-time { flex: none; display: inline-flex; align-items: center; gap: 6px; padding-top: 2px; color: var(--cs-muted); font-size: 0.84em; font-variant-numeric: tabular-nums; white-space: nowrap; }
.cs-time svg { width: 15px; height: 15px; fill: none; stroke-width: 2.4; }
.cs-time circle { stroke: var(--cs-line); }
.cs-time circle + circle { stroke: var(--cs-tone); stroke-linecap: round; }
.cs-time[data-soon="true"] { color: var(--cs-warn); }
.cs-time[data-soon="true"] circle + circle { stroke: var(--cs-warn); }

.cs-changes { margin-top: 14px; border: 1px solid var(--cs-line); border-radius: 10px; background: color-mix(in oklab, var(--cs-surface) 55%, var(--cs-raised)); }
.cs-change { display: grid; grid-template-columns: minmax(7em, 30%) 1fr; gap: 2px 14px; padding: 9px 14px; }
.cs-change + .cs-change { border-top: 1px solid var(--cs-line); }
.cs-change dt { color: var(--cs-muted); font-size: 0.9em; line-height: 1.65; }
.cs-change dd { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 9px; min-width: 0; font-variant-numeric: tabular-nums; white-space: pre-wrap; }
.cs-change del { color: var(--cs-muted); text-decoration: line-through; text-decoration-color: color-mix(in oklab, var(--cs-muted) 65%, transparent); }
.cs-change ins { padding: 0 6px; margin-inline-start: -2px; border-radius: 6px; background: color-mix(in oklab, var(--cs-tone) 12%, var(--cs-raised)); font-weight: 600; text-decoration: none; }
.cs-change ins[data-removed="true"] { background: var(--cs-bad-soft); color: var(--cs-bad); }
.cs-change .cs-none { color: var(--cs-muted); font-style: italic; font-weight: 400; }
.cs-to { display: inline-flex; align-items: baseline; gap: 9px; min-width: 0; }
.cs-arrow { align-self: center; display: inline-grid; color: var(--cs-muted); }
.cs-arrow .cs-icon { width: 1em; height: 1em; }
.cs-change[data-long="true"] { grid-template-columns: 1fr; }
.cs-change[data-long="true"] :is(dd, .cs-to) { display: flex; flex-direction: column; align-items: stretch; gap: 4px; }
.cs-change[data-long="true"] :is(del, ins) { display: block; padding: 6px 10px; margin: 0; border-radius: 8px; }
.cs-change[data-long="true"] del { background: color-mix(in oklab, var(--cs-text) 4%, transparent); }
.cs-change[data-long="true"] ins { font-weight: 500; }
.cs-change[data-long="true"] .cs-arrow { align-self: flex-start; padding-inline-start: 10px; transform: rotate(90deg) ; transform-origin: calc(10px + 0.5em) 50%; }
.cs-card > .cs-quiet { margin-top: 12px; }

.cs-warnings { display: grid; gap: 6px; margin-top: 10px; padding: 9px 14px; border-radius: 10px; background: var(--cs-warn-soft); font-size: 0.93em; }
.cs-card:not([data-state="waiting"], [data-state="running"]) .cs-warnings { padding-block: 0; background: none; color: var(--cs-muted); }
.cs-card:not([data-state="waiting"], [data-state="running"]) .cs-warnings .cs-icon { color: inherit; }
.cs-warnings li { display: flex; gap: 9px; }
.cs-warnings .cs-icon { margin-top: 0.15em; color: var(--cs-warn); }

.cs-details { margin-top: 10px; }
.cs-details summary { width: fit-content; padding: 2px 6px; margin-inline-start: -6px; border-radius: 6px; color: var(--cs-muted); font-size: 0.87em; cursor: pointer; }
.cs-details summary:hover { color: var(--cs-text); }
.cs-details p { margin-top: 6px; }
.cs-details code { font: 0.95em var(--cs-mono); }
.cs-details pre { margin-top: 6px; padding: 10px 12px; border-radius: 10px; background: var(--cs-surface); font: 0.82em/1.55 var(--cs-mono); white-space: pre-wrap; overflow-wrap: anywhere; }

.cs-cut { position: relative; max-height: 300px; overflow: hidden; }
.cs-cut::after { content: ""; position: absolute; inset: auto 0 0; height: 72px; background: linear-gradient(transparent, var(--cs-raised)); pointer-events: none; }
.cs-cut-note { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px; margin-top: 10px; padding: 10px 14px; border-radius: 10px; background: var(--cs-warn-soft); font-size: 0.93em; }
.cs-cut-note p { flex: 1; min-width: 14em; }
.cs-whole { position: relative; max-height: min(420px, 52dvh); margin: 14px -6px 0; padding: 0 6px 6px; overflow-y: auto; overscroll-behavior: contain; border-block: 1px solid var(--cs-line); scrollbar-width: thin; scrollbar-color: var(--cs-line-strong) transparent; }
.cs-whole:focus-visible { outline-offset: -2px; border-radius: 8px; }
.cs-whole .cs-changes { margin-top: 10px; }

.cs-foot { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; min-height: 36px; margin-top: 14px; }
.cs-status { flex: 1; display: flex; align-items: flex-start; gap: 8px; min-width: 12em; line-height: 1.4; }
.cs-status > span { min-width: 0; }
.cs-status .cs-icon { margin-top: 0.05em; color: var(--cs-tone); }
.cs-status .cs-spinner { margin-top: 0.2em; color: var(--cs-tone); }
.cs-card[data-compact="true"] { padding-block: 12px; }
.cs-card[data-compact="true"] .cs-foot { min-height: 0; margin: -12px 0 0 46px; }
.cs-card[data-compact="true"] .cs-status { color: var(--cs-muted); font-size: 0.93em; }
.cs-card[data-compact="true"] .cs-status .cs-icon { display: none; }
.cs-refusal { display: flex; gap: 9px; margin-top: 12px; padding: 9px 14px; border-radius: 10px; background: var(--cs-bad-soft); font-size: 0.93em; }
.cs-refusal .cs-icon { margin-top: 0.15em; color: var(--cs-bad); }

.cs-row { container-type: inline-size; }
@container (max-width: 30rem) {
  .cs-card { padding: 14px; }
  .cs-change { grid-template-columns: 1fr; }
  .cs-foot > .cs-button { flex: 1; min-height: 44px; }
  .cs-foot > .cs-quiet { order: -1; width: 100%; }
  .cs-card-head { flex-wrap: wrap; }
  .cs-time { order: 3; width: 100%; padding: 0 0 0 46px; margin-top: -6px; }
}
`;
