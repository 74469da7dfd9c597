// The admin pages: the panel's colours and small parts, with room for tables and charts.
export const adminStyles = /* css */ `
.cs-panel.cs-admin { height: auto; min-height: 100%; overflow: visible; container: cs-admin / inline-size; }
.cs-admin :where(h1) { margin: 0; font-size: 1.5em; font-weight: 650; line-height: 1.25; letter-spacing: -0.015em; }
.cs-admin :where(table) { width: 100%; border-collapse: collapse; }
.cs-admin :where(th, td) { padding: 9px 14px; text-align: start; font-weight: 400; vertical-align: baseline; }
.cs-admin :where(fieldset) { min-width: 0; margin: 0; padding: 0; border: 0; }
.cs-admin :where(legend) { padding: 0; }
.cs-admin :where(select) { margin: 0; color: inherit; font: inherit; letter-spacing: inherit; }
.cs-admin :where(summary) { cursor: pointer; }
.cs-admin code { font: 0.9em/1.5 var(--cs-mono); overflow-wrap: anywhere; }

.cs-admin-layout { display: grid; grid-template-columns: 208px minmax(0, 1fr); min-height: inherit; }
.cs-admin-nav { padding: 24px 12px; border-inline-end: 1px solid var(--cs-line); background: var(--cs-surface); }
.cs-admin-nav ul { position: sticky; top: 24px; display: grid; gap: 2px; }
.cs-admin-nav a { display: flex; align-items: center; gap: 10px; padding: 7px 12px; border-radius: 9px; color: var(--cs-muted); font-weight: 500; text-decoration: none; }
.cs-admin-nav a:hover { background: var(--cs-hover); color: var(--cs-text); }
.cs-admin-nav a[aria-current="page"] { background: var(--cs-accent-soft); color: var(--cs-accent); }
.cs-admin-main { width: 100%; max-width: 1120px; padding: 26px 32px 56px; }
.cs-admin-head { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: 12px 24px; margin-bottom: 22px; }
.cs-admin-head > div:first-child { flex: 1 1 26rem; }
.cs-admin-head p { max-width: 80ch; margin-top: 4px; color: var(--cs-muted); }
.cs-admin-head > div:last-child:not(:first-child) { display: flex; flex-wrap: wrap; gap: 8px; }
.cs-admin h2 { margin: 30px 0 10px; font-size: 1.08em; }
.cs-admin .cs-stack > div > h2:first-child { margin-top: 14px; }
.cs-admin .cs-stack > div:first-child > h2:first-child, .cs-admin .cs-box > h2:first-child, .cs-admin .cs-form-group > h2 { margin-top: 0; }

.cs-box { padding: 18px 20px; border: 1px solid var(--cs-line); border-radius: var(--cs-radius); background: var(--cs-raised); }
.cs-stack { display: grid; gap: 14px; }
.cs-grid { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; }
.cs-row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
.cs-row > .cs-grow { flex: 1; min-width: 0; }

.cs-panel .cs-figures { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 14px; }
.cs-figure { padding: 14px 16px; border: 1px solid var(--cs-line); border-radius: var(--cs-radius); background: var(--cs-raised); }
.cs-figure dt { color: var(--cs-muted); font-size: 0.87em; }
.cs-figure dd { font-size: 1.45em; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.cs-figure dd + dd { color: var(--cs-muted); font-size: 0.84em; font-weight: 400; letter-spacing: 0; }
.cs-figure[data-tone="bad"] dd:first-of-type { color: var(--cs-bad); }
.cs-meter { display: block; height: 5px; margin-top: 8px; border-radius: 9px; overflow: hidden; background: var(--cs-hover); }
.cs-meter svg { display: block; width: 100%; height: 100%; fill: var(--cs-accent); }
.cs-meter[data-tone="bad"] svg { fill: var(--cs-bad); }
.cs-meter[data-tone="warn"] svg { fill: var(--cs-warn); }

.cs-pill { display: inline-flex; align-items: center; gap: 5px; padding: 1px 9px; border-radius: 99px; background: var(--cs-hover); color: var(--cs-muted); font-size: 0.85em; font-weight: 500; white-space: nowrap; }
.cs-pill[data-tone="good"] { background: color-mix(in oklab, var(--cs-good) 13%, var(--cs-raised)); color: var(--cs-good); }
.cs-pill[data-tone="bad"] { background: var(--cs-bad-soft); color: var(--cs-bad); }
.cs-pill[data-tone="warn"] { background: var(--cs-warn-soft); color: var(--cs-warn); }
.cs-pill[data-tone="accent"] { background: var(--cs-accent-soft); color: var(--cs-accent); }

.cs-admin a.cs-button { color: inherit; text-decoration: none; }
.cs-admin .cs-input { width: 100%; min-width: 0; height: 40px; }
.cs-admin select.cs-input { padding-block: 7px; background: var(--cs-bg); }
.cs-admin .cs-input[aria-invalid="true"] { border-color: var(--cs-bad); }
.cs-filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); align-items: end; gap: 10px 12px; margin-bottom: 16px; }
.cs-filters .cs-row { gap: 8px; min-height: 40px; }
.cs-filters .cs-wide { grid-column: span 2; }
.cs-filters .cs-all { grid-column: 1 / -1; min-height: 0; gap: 14px; }
.cs-admin .cs-stack:empty { display: none; }
.cs-label { display: grid; align-content: start; gap: 4px; }
.cs-label > span:first-child, .cs-label > label { font-size: 0.9em; font-weight: 500; }
.cs-label .cs-hint, .cs-admin .cs-hint { color: var(--cs-muted); font-size: 0.87em; font-weight: 400; line-height: 1.4; }
.cs-unit { display: flex; align-items: center; gap: 8px; }
.cs-unit > span { flex: none; color: var(--cs-muted); font-size: 0.9em; }
.cs-form-group { padding: 18px 20px; border: 1px solid var(--cs-line); border-radius: var(--cs-radius); background: var(--cs-raised); }
.cs-form-group > div { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 16px 22px; }
.cs-field[data-touched="true"] .cs-input { border-color: var(--cs-accent); box-shadow: 0 0 0 1px var(--cs-accent); }
.cs-field .cs-conflict { color: var(--cs-warn); font-size: 0.87em; }
.cs-save { position: sticky; z-index: 2; inset-block-end: 0; display: flex; align-items: center; gap: 10px; padding: 12px 0; background: linear-gradient(transparent, var(--cs-bg) 22%); }
.cs-save > button { flex: none; }

.cs-switch { display: flex; align-items: flex-start; gap: 11px; cursor: pointer; }
.cs-panel .cs-switch input {
  flex: none; width: 36px; height: 21px; margin-top: 1px; border-radius: 99px; background: var(--cs-line-strong); cursor: pointer; transition: background 0.15s;
}
.cs-switch input::before { content: ""; display: block; width: 17px; height: 17px; margin: 2px; border-radius: 50%; background: #fff; box-shadow: 0 1px 2px #0004; transition: transform 0.15s; }
.cs-panel .cs-switch input:checked { background: var(--cs-good); }
.cs-switch input:checked::before { transform: translateX(15px); }
[dir="rtl"] .cs-switch input:checked::before { transform: translateX(-15px); }
.cs-switch input:disabled { opacity: 0.55; }
.cs-switch span > span { display: block; color: var(--cs-muted); font-size: 0.87em; line-height: 1.4; }
.cs-segments { display: inline-flex; padding: 3px; border-radius: 10px; background: var(--cs-hover); }
.cs-segments label { position: relative; padding: 4px 12px; border-radius: 8px; color: var(--cs-muted); font-size: 0.93em; font-weight: 500; cursor: pointer; }
.cs-segments label:has(:checked) { background: var(--cs-raised); color: var(--cs-text); box-shadow: 0 1px 3px light-dark(#1d1e2126, #0007); }
.cs-segments label:has(:focus-visible) { outline: 2px solid var(--cs-accent); outline-offset: 1px; }
.cs-segments input { position: absolute; opacity: 0; inset: 0; }

.cs-told { display: flex; align-items: flex-start; gap: 9px; padding: 10px 14px; border-radius: 11px; background: var(--cs-accent-soft); }
.cs-told .cs-icon { margin-top: 0.18em; color: var(--cs-accent); }
.cs-told[data-tone="bad"] { background: var(--cs-bad-soft); }
.cs-told[data-tone="bad"] .cs-icon { color: var(--cs-bad); }
.cs-told[data-tone="warn"] { background: var(--cs-warn-soft); }
.cs-told[data-tone="warn"] .cs-icon { color: var(--cs-warn); }
.cs-told p { flex: 1; }
.cs-nothing { display: grid; justify-items: center; gap: 8px; padding: 44px 24px; color: var(--cs-muted); text-align: center; }
.cs-nothing .cs-icon { width: 1.8em; height: 1.8em; opacity: 0.6; }
.cs-wait { min-height: 240px; border-radius: var(--cs-radius); opacity: 0; background: linear-gradient(var(--cs-surface) 56px, transparent 0) 0 0 / 100% 70px; animation: cs-wait 0.3s 0.2s forwards; }
@keyframes cs-wait { to { opacity: 1; } }

.cs-item-head { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; }
.cs-item-head h2 { margin: 0; }
.cs-facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 10px 20px; margin-top: 12px; }
.cs-facts dt { color: var(--cs-muted); font-size: 0.84em; }
.cs-facts dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.cs-item-foot { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 14px; }
.cs-item > .cs-told { margin-top: 12px; }
.cs-item details { margin-top: 12px; }
.cs-item summary { color: var(--cs-muted); font-size: 0.93em; }
.cs-switches { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px 24px; margin-top: 14px; }

.cs-admin .cs-dialog { border: 0; padding: 0; background: var(--cs-raised); color: inherit; width: min(44rem, calc(100vw - 32px)); max-height: calc(100dvh - 32px); margin: auto; border-radius: 16px; box-shadow: var(--cs-shadow); overflow: auto; }
.cs-admin .cs-dialog::backdrop { background: light-dark(#1d1e2152, #000a); }
.cs-dialog form.cs-stack { display: grid; gap: 16px; padding: 20px 22px; }
.cs-dialog header { display: flex; align-items: center; justify-content: space-between; }
.cs-dialog header h2 { margin: 0; font-size: 1.15em; }
.cs-dialog .cs-fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px 18px; }
.cs-dialog .cs-fields > .cs-wide { grid-column: 1 / -1; }
.cs-dialog footer { position: sticky; inset-block-end: 0; display: flex; justify-content: flex-end; gap: 8px; margin: 0 -22px -20px; padding: 12px 22px 16px; border-top: 1px solid var(--cs-line); background: var(--cs-raised); }
.cs-panel .cs-danger { border-color: color-mix(in oklab, var(--cs-bad) 45%, transparent); color: var(--cs-bad); }

@container cs-admin (max-width: 800px) {
  .cs-admin-layout { display: block; }
  .cs-admin-nav { padding: 8px 10px; border: 0; border-bottom: 1px solid var(--cs-line); overflow-x: auto; scrollbar-width: none; }
  .cs-admin-nav ul { position: static; display: flex; width: max-content; }
  .cs-admin-nav a { padding: 6px 11px; white-space: nowrap; }
  .cs-admin-nav .cs-icon { display: none; }
  .cs-admin-main { padding: 20px 16px 48px; }
  .cs-grid, .cs-switches, .cs-dialog .cs-fields { grid-template-columns: minmax(0, 1fr); }
  .cs-panel .cs-figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
  .cs-figure dd:first-of-type { font-size: 1.2em; }
  .cs-filters { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media (pointer: coarse) { .cs-admin .cs-input { font-size: max(16px, 1em); } }
@media (forced-colors: active) {
  .cs-panel .cs-switch input { border: 1px solid; }
}
`;
