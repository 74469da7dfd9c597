// Where messages are written.
export const composer = /* css */ `
.cs-composer { padding: 4px max(16px, calc((100% - 44rem) / 2)) 8px; }
.cs-line { display: flex; align-items: flex-end; gap: 8px; }
.cs-field {
  padding: 7px; border: 1px solid var(--cs-line-strong); border-radius: 22px;
  background: var(--cs-raised); transition: border-color 0.12s, box-shadow 0.12s;
}
.cs-field:focus-within { border-color: var(--cs-accent); box-shadow: 0 0 0 3px color-mix(in oklab, var(--cs-accent) 18%, transparent); }
.cs-panel .cs-field textarea {
  flex: 1; min-width: 0; min-height: 36px; max-height: min(40dvh, 280px); padding: 6px 4px 6px 10px; line-height: 1.55; resize: none; overflow-y: auto;
  field-sizing: content; scrollbar-width: thin; scrollbar-color: var(--cs-line-strong) transparent;
}
.cs-panel .cs-field textarea:focus-visible { outline: none; }
.cs-field[data-sending="true"] textarea { color: var(--cs-muted); }
.cs-panel .cs-send { flex: none; display: grid; place-items: center; width: 36px; height: 36px; border-radius: 50%; background: var(--cs-accent); color: var(--cs-on-accent); transition: background 0.12s; }
.cs-panel .cs-send:disabled { background: color-mix(in oklab, var(--cs-text) 10%, transparent); color: var(--cs-muted); }
.cs-panel .cs-stop { background: var(--cs-text); color: var(--cs-bg); }
.cs-stop .cs-icon { fill: currentColor; }
.cs-hint { min-height: 1.5em; padding-top: 5px; color: var(--cs-muted); font-size: 0.78em; text-align: center; }
.cs-hint[data-over="true"] { color: var(--cs-bad); font-weight: 600; }
.cs-composer-note { display: flex; flex-wrap: wrap; align-items: center; gap: 9px; margin-bottom: 8px; padding: 8px 14px; border-radius: 12px; background: var(--cs-surface); font-size: 0.92em; }
.cs-panel .cs-composer-note { margin-bottom: 8px; padding: 8px 14px; }
.cs-composer-note > span:not([class]) { flex: 1 1 14em; }
.cs-composer-note .cs-link { margin-inline-start: auto; }
.cs-composer-note[data-tone="warning"] { background: var(--cs-warn-soft); }
.cs-composer-note[data-tone="warning"] .cs-icon { color: var(--cs-warn); }
.cs-holder { min-width: 0; max-width: min(22em, 100%); text-align: start; }
.cs-status .cs-holder { padding-inline: 0; }
.cs-holder > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
@media (pointer: coarse) { .cs-panel .cs-field textarea { font-size: max(16px, 1em); } }
`;
