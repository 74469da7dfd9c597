// Files, waiting and sent.
export const files = /* css */ `
.cs-files { display: flex; flex-wrap: wrap; gap: 6px; max-width: 100%; }
.cs-composer .cs-files { max-height: min(32dvh, 220px); padding: 3px 3px 5px; overflow-y: auto; scrollbar-width: thin; }
.cs-question .cs-files { justify-content: flex-end; margin-bottom: 4px; }
.cs-file {
  position: relative; display: flex; align-items: center; gap: 8px; max-width: 17rem; min-height: 44px; padding: 5px 6px 5px 11px; overflow: hidden;
  border: 1px solid var(--cs-line); border-radius: 12px; background: var(--cs-surface); line-height: 1.25;
}
.cs-panel a.cs-file { padding-inline-end: 13px; color: inherit; text-decoration: none; }
.cs-panel a.cs-file:hover { border-color: var(--cs-line-strong); }
.cs-file > .cs-icon, .cs-file > .cs-spinner { color: var(--cs-muted); }
.cs-file > img { width: 34px; height: 34px; margin-inline-start: -6px; border-radius: 8px; object-fit: cover; background: var(--cs-line); }
.cs-file-name { flex: 1; min-width: 0; overflow: hidden; font-size: 0.9em; text-overflow: ellipsis; white-space: nowrap; }
.cs-file-name small { display: block; overflow: hidden; color: var(--cs-muted); font-size: 0.88em; text-overflow: ellipsis; }
.cs-file[data-state="failed"] { max-width: 24rem; border-color: color-mix(in oklab, var(--cs-bad) 35%, transparent); background: var(--cs-bad-soft); }
.cs-file[data-state="failed"] > .cs-icon { color: var(--cs-bad); }
.cs-file[data-state="failed"] small { color: inherit; white-space: normal; }
.cs-panel .cs-file .cs-tool { flex: none; width: 28px; height: 28px; }
.cs-file progress { position: absolute; inset: auto 0 0; width: 100%; height: 3px; border: 0; appearance: none; background: transparent; accent-color: var(--cs-accent); }
.cs-file progress::-webkit-progress-bar { background: transparent; }
.cs-file progress::-webkit-progress-value { background: var(--cs-accent); transition: width 0.2s; }
.cs-file progress::-moz-progress-bar { background: var(--cs-accent); }
.cs-panel .cs-attach { flex: none; width: 36px; height: 36px; margin-inline: 2px -4px; border-radius: 50%; font-size: 1.08em; }
.cs-panel .cs-camera { display: none; }
@media (pointer: coarse) and (hover: none) { .cs-panel .cs-camera { display: inline-grid; } }
.cs-drop {
  position: absolute; z-index: 5; inset: 8px; display: flex; align-items: center; justify-content: center; gap: 10px; border: 2px dashed var(--cs-accent); border-radius: 16px;
  background: color-mix(in oklab, var(--cs-bg) 86%, transparent); color: var(--cs-accent); font-weight: 600; pointer-events: none;
}
`;
