// Where the panel's parts stand: beside each other when there is room, else the chats in a drawer.
export const layout = /* css */ `
.cs-layout { display: flex; height: 100%; min-height: 0; }
.cs-main { position: relative; flex: 1; display: flex; flex-direction: column; min-width: 0; }
.cs-body { position: relative; flex: 1; display: flex; flex-direction: column; min-height: 0; }

.cs-header { display: flex; align-items: center; gap: 4px; min-height: 52px; padding: 8px 12px; border-bottom: 1px solid var(--cs-line); }
.cs-header h2 { flex: 1; min-width: 0; padding: 0 6px; overflow: hidden; font-size: 1em; text-overflow: ellipsis; white-space: nowrap; }

.cs-demo, .cs-blocked { display: flex; align-items: center; gap: 8px; padding: 7px 18px; font-size: 0.87em; }
.cs-demo { background: var(--cs-accent-soft); color: var(--cs-muted); border-bottom: 1px solid var(--cs-line); }
.cs-demo .cs-icon { color: var(--cs-accent); }
.cs-blocked { margin: 0 max(16px, calc((100% - 44rem) / 2)) 8px; padding: 10px 14px; border: 1px solid color-mix(in oklab, var(--cs-warn) 35%, transparent); border-radius: 12px; background: var(--cs-warn-soft); }
.cs-blocked .cs-icon { color: var(--cs-warn); }
.cs-blocked p { flex: 1; }
.cs-connection {
  position: absolute; z-index: 3; inset-block-start: 10px; inset-inline: 0; width: fit-content; max-width: calc(100% - 32px); margin-inline: auto;
  display: flex; align-items: center; gap: 8px; padding: 6px 14px; border: 1px solid var(--cs-line); border-radius: 99px;
  background: var(--cs-raised); box-shadow: var(--cs-shadow); color: var(--cs-muted); font-size: 0.87em;
}

.cs-state, .cs-empty { flex: 1; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 12px; padding: 24px; text-align: center; }
.cs-state p { max-width: 26rem; color: var(--cs-muted); }
.cs-empty .cs-badge { width: 44px; height: 44px; font-size: 1.25em; }
.cs-greeting { font-size: 1.45em; font-weight: 600; line-height: 1.25; letter-spacing: -0.01em; }
.cs-empty .cs-quiet { max-width: 25rem; }
.cs-empty ul { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; max-width: 34rem; margin-top: 10px; }
.cs-panel .cs-suggestion { padding: 8px 14px; border: 1px solid var(--cs-line); border-radius: 99px; background: var(--cs-raised); font-size: 0.93em; }
.cs-panel .cs-suggestion:hover { border-color: var(--cs-line-strong); background: var(--cs-surface); }
.cs-loading { flex: 1; }
.cs-loading::before {
  content: ""; display: block; height: 132px; margin: 40px max(24px, calc((100% - 44rem) / 2)); border-radius: 12px; opacity: 0;
  background: linear-gradient(var(--cs-surface) 22px, transparent 0) 0 0 / 62% 44px no-repeat, linear-gradient(var(--cs-surface) 22px, transparent 0) 0 44px / 88% 44px no-repeat, linear-gradient(var(--cs-surface) 22px, transparent 0) 0 88px / 45% 44px no-repeat;
  animation: cs-appear 0.3s 0.25s forwards;
}
@keyframes cs-appear { to { opacity: 1; } }

.cs-badge { flex: none; display: grid; place-items: center; width: 34px; height: 34px; border-radius: 50%; background: var(--cs-accent-soft); color: var(--cs-accent); }

.cs-panel :where(.cs-dialog, .cs-drawer) { border: 0; padding: 0; background: var(--cs-raised); color: inherit; font: inherit; }
.cs-dialog { width: min(34rem, calc(100vw - 32px)); max-height: calc(100dvh - 32px); margin: auto; border-radius: 16px; box-shadow: var(--cs-shadow); overflow: auto; }
.cs-dialog::backdrop, .cs-drawer::backdrop { background: light-dark(#1d1e2152, #000a); }
.cs-dialog form { display: grid; gap: 14px; padding: 18px 20px 20px; }
.cs-dialog header, .cs-drawer header { display: flex; align-items: center; justify-content: space-between; }
.cs-dialog h3 { font-size: 1.1em; }
.cs-dialog label { display: grid; gap: 6px; font-weight: 500; }
.cs-dialog textarea { font-weight: 400; resize: vertical; }
.cs-limits { display: grid; gap: 4px; padding-top: 12px; border-top: 1px solid var(--cs-line); font-size: 0.9em; }
.cs-limits div { display: grid; grid-template-columns: 8em 1fr; gap: 12px; }
.cs-limits dt { color: var(--cs-muted); }
.cs-limits dd { overflow-wrap: anywhere; }
.cs-dialog footer { display: flex; justify-content: flex-end; gap: 8px; }
.cs-drawer { position: fixed; inset: 0 auto 0 0; width: min(320px, 86vw); height: 100dvh; max-height: none; margin: 0; background: var(--cs-surface); box-shadow: var(--cs-shadow); animation: cs-slide 0.18s ease-out; }
.cs-drawer > div { display: flex; flex-direction: column; height: 100%; }
.cs-drawer header { padding: 12px 12px 0 20px; }
@keyframes cs-slide { from { transform: translateX(-24px); opacity: 0; } }

.cs-menu {
  position: fixed; inset: auto; min-width: 180px; margin: 0; padding: 5px; border: 1px solid var(--cs-line); border-radius: 12px;
  background: var(--cs-raised); color: var(--cs-text); box-shadow: var(--cs-shadow);
}
.cs-menu:focus { outline: none; }
.cs-panel .cs-menu button { display: flex; align-items: center; gap: 10px; width: 100%; padding: 7px 10px; border-radius: 8px; font-size: 0.95em; }
.cs-panel .cs-menu button .cs-icon { color: var(--cs-muted); }
.cs-panel .cs-menu button:hover, .cs-panel .cs-menu button:focus { background: var(--cs-hover); outline: none; }
.cs-panel .cs-menu button:focus-visible { outline: 2px solid var(--cs-accent); outline-offset: -2px; }
.cs-panel .cs-menu [data-danger="true"], .cs-panel .cs-menu [data-danger="true"] .cs-icon { color: var(--cs-bad); }
`;
