// The messages, and what floats above them.
export const thread = /* css */ `
.cs-thread-frame { position: relative; flex: 1; min-height: 0; }
.cs-thread { position: absolute; inset: 0; overflow-y: auto; overflow-anchor: none; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--cs-line-strong) transparent; }
.cs-thread:focus-visible { outline-offset: -3px; }
.cs-rows { position: relative; width: 100%; }
.cs-row { position: absolute; inset-block-start: 0; inset-inline: 0; padding: 7px max(16px, calc((100% - 44rem) / 2)); }
.cs-row:last-child { padding-bottom: 18px; }
.cs-earlier { position: absolute; z-index: 2; inset-block-start: 8px; inset-inline: 0; display: flex; align-items: center; gap: 8px; width: fit-content; margin-inline: auto; padding: 5px 14px; border-radius: 99px; background: var(--cs-raised); box-shadow: var(--cs-shadow); color: var(--cs-muted); font-size: 0.87em; }

.cs-day { padding: 10px 0 2px; color: var(--cs-muted); font-size: 0.8em; font-weight: 500; text-align: center; }
.cs-day::first-letter { text-transform: uppercase; }
.cs-question { display: flex; flex-direction: column; align-items: flex-end; padding-inline-start: 12%; }
.cs-question p { max-width: 100%; padding: 9px 15px; border-radius: 18px 18px 5px 18px; background: color-mix(in oklab, var(--cs-accent) 11%, var(--cs-bg)); overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
.cs-panel .cs-question time { padding: 2px 6px 0; font-size: 0.78em; opacity: 0; transition: opacity 0.12s; }
.cs-question:hover time, .cs-row:focus-within .cs-question time { opacity: 1; }

.cs-tools { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 4px; min-height: 26px; margin: 1px -6px -4px; opacity: 0; transition: opacity 0.12s; }
.cs-panel .cs-tools .cs-tool { width: 26px; height: 26px; font-size: 0.9em; }
.cs-panel .cs-tools .cs-quiet { padding: 0 4px; font-size: 0.8em; }
.cs-answer:hover .cs-tools, .cs-answer:focus-within .cs-tools, .cs-tools[data-open="true"] { opacity: 1; }
@media (hover: none) { .cs-tools { opacity: 1; } }

.cs-lookups { display: flex; flex-wrap: wrap; gap: 2px 16px; color: var(--cs-muted); font-size: 0.87em; }
.cs-lookups li { display: flex; align-items: center; gap: 5px; }
.cs-lookups .cs-icon { width: 1.1em; height: 1.1em; }
.cs-lookups [data-status="ok"] .cs-icon { color: var(--cs-good); }
.cs-lookups [data-status="error"] .cs-icon { color: var(--cs-warn); }

.cs-activity { display: flex; align-items: center; gap: 9px; min-height: 30px; color: var(--cs-muted); font-size: 0.93em; }
.cs-dots { display: inline-flex; gap: 4px; }
.cs-dots i { width: 6px; height: 6px; border-radius: 50%; background: var(--cs-accent); animation: cs-dot 1.2s infinite ease-in-out; }
.cs-dots i:nth-child(2) { animation-delay: 0.15s; }
.cs-dots i:nth-child(3) { animation-delay: 0.3s; }
@keyframes cs-dot { 0%, 70%, 100% { opacity: 0.25; transform: none; } 35% { opacity: 1; transform: translateY(-2px); } }

.cs-notice { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; padding: 10px 14px; border-radius: 12px; background: var(--cs-warn-soft); font-size: 0.95em; }
.cs-notice > .cs-icon { color: var(--cs-warn); }
.cs-notice p { flex: 1; min-width: 12em; }
.cs-panel .cs-notice .cs-button { min-height: 32px; padding: 4px 12px; }
.cs-notice[data-quiet="true"], .cs-told { background: none; padding: 0; color: var(--cs-muted); font-size: 0.87em; }
.cs-notice[data-quiet="true"] > .cs-icon { color: inherit; }
.cs-told { display: flex; gap: 6px; }
.cs-told .cs-icon { margin-top: 0.15em; }

.cs-panel :is(.cs-to-end, .cs-waiting) { position: absolute; z-index: 2; inset-inline: 0; width: fit-content; margin-inline: auto; }
.cs-panel .cs-to-end { inset-block-end: 10px;  display: grid; place-items: center; width: 36px; height: 36px; border: 1px solid var(--cs-line); border-radius: 50%; background: var(--cs-raised); box-shadow: var(--cs-shadow); color: var(--cs-muted); }
.cs-panel .cs-to-end[data-new="true"] { grid-auto-flow: column; gap: 6px; width: fit-content; padding: 0 10px 0 16px; border-radius: 99px; color: var(--cs-accent); font-size: 0.92em; font-weight: 600; }
.cs-panel .cs-to-end:hover { color: var(--cs-text); }
.cs-panel .cs-waiting { inset-block-start: 10px; max-width: calc(100% - 32px); display: flex; align-items: center; gap: 8px; min-height: 36px; padding: 6px 16px; border: 1px solid color-mix(in oklab, var(--cs-accent) 40%, transparent); border-radius: 99px; background: var(--cs-raised); box-shadow: var(--cs-shadow); font-size: 0.92em; }
.cs-panel .cs-connection ~ .cs-thread-frame .cs-waiting, .cs-earlier ~ .cs-waiting { inset-block-start: 50px; }
.cs-waiting .cs-icon, .cs-waiting strong { color: var(--cs-accent); }
`;
