// Drawings of values by day. What tells two series apart is never their colour alone.
export const chartStyles = /* css */ `
.cs-chart figcaption { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 2px 14px; min-height: 1.6em; font-weight: 600; }
.cs-chart figcaption span { color: var(--cs-muted); font-size: 0.87em; font-weight: 400; font-variant-numeric: tabular-nums; }
.cs-plot { margin-top: 6px; border-radius: 6px; }
.cs-plot > svg { display: block; width: 100%; height: 168px; overflow: visible; }
.cs-chart text { fill: var(--cs-muted); font-size: 11px; font-variant-numeric: tabular-nums; }
.cs-chart .cs-gridline { stroke: var(--cs-line); }
.cs-chart .cs-band { fill: var(--cs-hover); }
.cs-chart .cs-hatch { stroke: var(--cs-raised); stroke-width: 3; }
.cs-chart [data-tone="accent"] { --cs-tone: var(--cs-accent); }
.cs-chart [data-tone="good"] { --cs-tone: var(--cs-good); }
.cs-chart [data-tone="bad"] { --cs-tone: var(--cs-bad); }
.cs-chart [data-tone="warn"] { --cs-tone: var(--cs-warn); }
.cs-chart { display: flex; flex-direction: column; }
.cs-chart rect[data-tone] { fill: color-mix(in oklab, var(--cs-tone) 82%, var(--cs-raised)); }
.cs-chart polyline { fill: none; stroke: var(--cs-tone); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.cs-chart g[data-tone] + g[data-tone] polyline { stroke-dasharray: 2 5; }
.cs-chart circle { fill: var(--cs-tone); }
.cs-legend { display: flex; flex-wrap: wrap; gap: 2px 14px; margin-top: 6px; color: var(--cs-muted); font-size: 0.84em; }
.cs-legend li { display: flex; align-items: center; gap: 6px; }
.cs-legend li::before { content: ""; width: 12px; height: 12px; border-radius: 3px; background: var(--cs-tone); }
.cs-legend li + li::before { background: repeating-linear-gradient(135deg, var(--cs-tone) 0 2px, var(--cs-raised) 2px 4.5px); }
.cs-legend[data-kind="lines"] li::before { width: 18px; height: 2px; border-radius: 0; }
.cs-legend[data-kind="lines"] li + li::before { background: repeating-linear-gradient(90deg, var(--cs-tone) 0 3px, transparent 3px 6px); }
.cs-chart details { margin-top: auto; padding-top: 8px; font-size: 0.87em; }
.cs-chart summary { color: var(--cs-muted); }
.cs-chart details .cs-sheet { max-height: 240px; margin-top: 6px; }
@media (forced-colors: active) {
  .cs-chart rect[data-tone] { fill: CanvasText; }
  .cs-chart .cs-hatch { stroke: Canvas; }
  .cs-chart polyline { stroke: CanvasText; }
  .cs-legend li::before { background: CanvasText; forced-color-adjust: none; }
  .cs-legend li + li::before { background: repeating-linear-gradient(135deg, CanvasText 0 2px, Canvas 2px 4.5px); }
}
`;
