// Tables, and how their rows are stacked where there is little room.
export const sheetStyles = /* css */ `
.cs-sheet { overflow: auto; border: 1px solid var(--cs-line); border-radius: var(--cs-radius); background: var(--cs-raised); }
.cs-sheet thead th { color: var(--cs-muted); font-size: 0.85em; font-weight: 500; white-space: nowrap; border-bottom: 1px solid var(--cs-line); }
.cs-sheet tbody tr + tr :is(td, th) { border-top: 1px solid color-mix(in oklab, var(--cs-line) 60%, transparent); }
.cs-sheet .cs-number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.cs-sheet time { white-space: nowrap; }
.cs-sheet .cs-sub { display: block; color: var(--cs-muted); font-size: 0.87em; }
.cs-share { display: flex; align-items: center; justify-content: flex-end; gap: 8px; }
.cs-share .cs-meter { flex: 0 1 64px; min-width: 32px; margin: 0; }
.cs-share > span:last-child { min-width: 3.2em; text-align: end; }
.cs-sheet td .cs-button { min-height: 30px; padding: 3px 11px; font-size: 0.93em; }
.cs-more { display: flex; justify-content: center; padding: 14px; }

@container cs-admin (max-width: 800px) {
  .cs-stacking :is(table, tbody) { display: block; }
  .cs-stacking thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cs-stacking tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); grid-auto-flow: dense; align-items: baseline; gap: 4px 14px; padding: 12px 14px; }
  .cs-stacking tbody tr + tr { border-top: 1px solid var(--cs-line); }
  .cs-stacking.cs-stacking tbody tr :is(td, th) { min-width: 0; padding: 0; border: 0; overflow-wrap: anywhere; text-align: start; white-space: normal; }
  .cs-stacking [data-wide] { grid-column: 1 / -1; }
  .cs-stacking [data-title]::before { content: attr(data-title) " " / ""; color: var(--cs-muted); font-size: 0.87em; }
  .cs-stacking tbody th { font-weight: 550; }
  .cs-stacking .cs-share { display: inline-flex; vertical-align: middle; }
  .cs-stacking .cs-share .cs-meter { width: 48px; flex: none; }
  .cs-stacking .cs-share > span:last-child { min-width: 0; }
  .cs-sheet { font-size: 0.93em; }
}
`;
