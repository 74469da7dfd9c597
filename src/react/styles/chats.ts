// The list of chats.
export const chats = /* css */ `
.cs-chats { display: flex; flex-direction: column; gap: 10px; width: 264px; flex: none; min-height: 0; padding: 12px; background: var(--cs-surface); border-inline-end: 1px solid var(--cs-line); }
.cs-drawer .cs-chats { flex: 1; width: auto; border: 0; }
.cs-panel .cs-new { display: flex; align-items: center; gap: 8px; min-height: 38px; padding: 7px 12px; border: 1px solid var(--cs-line); border-radius: 10px; background: var(--cs-raised); font-weight: 500; }
.cs-panel .cs-new:hover { border-color: var(--cs-line-strong); }
.cs-new .cs-icon { color: var(--cs-accent); }
.cs-search { position: relative; display: block; }
.cs-search .cs-icon { position: absolute; inset-block-start: 9px; inset-inline-start: 10px; color: var(--cs-muted); pointer-events: none; }
.cs-panel .cs-search input { width: 100%; min-height: 36px; padding: 6px 10px 6px 36px; border-radius: 10px; background: color-mix(in oklab, var(--cs-text) 5%, transparent); }
.cs-search input:focus-visible { outline-offset: -2px; }
.cs-search input::-webkit-search-cancel-button { opacity: 0.6; }
.cs-chat-groups { position: relative; flex: 1; min-height: 0; margin: 0 -6px; padding: 2px 6px; overflow-y: auto; scrollbar-width: thin; scrollbar-color: var(--cs-line-strong) transparent; }
.cs-panel .cs-chat-groups > .cs-quiet { padding: 8px; }
.cs-chat-groups[data-state="loading"]::before { content: ""; display: block; height: 150px; background: repeating-linear-gradient(color-mix(in oklab, var(--cs-text) 6%, transparent) 0 14px, transparent 0 38px); margin: 12px 8px; opacity: 0; animation: cs-appear 0.3s 0.25s forwards; }
.cs-panel .cs-group { padding: 10px 8px 4px; color: var(--cs-muted); font-size: 0.8em; font-weight: 500; }
.cs-chat { position: relative; display: flex; align-items: center; border-radius: 9px; }
.cs-panel .cs-chat .cs-input { margin: 1px 0; padding: 5px 8px; }
.cs-chat:hover { background: var(--cs-hover); }
.cs-chat[data-open="true"] { background: color-mix(in oklab, var(--cs-accent) 13%, transparent); }
.cs-panel .cs-chat-open { flex: 1; min-width: 0; padding: 7px 8px; overflow: hidden; border-radius: 9px; font-size: 0.95em; text-overflow: ellipsis; white-space: nowrap; }
.cs-chat-open:focus-visible { outline-offset: -2px; }
.cs-chat .cs-tool { width: 30px; height: 30px; margin-inline-end: 2px; opacity: 0; }
.cs-chat:hover .cs-tool, .cs-chat:focus-within .cs-tool, .cs-chat[data-open="true"] .cs-tool { opacity: 1; }
@media (hover: none) { .cs-chat .cs-tool { opacity: 1; } }
.cs-removed:not(:empty) { display: flex; align-items: center; gap: 8px; padding: 8px 12px; border: 1px solid var(--cs-line); border-radius: 10px; background: var(--cs-raised); box-shadow: var(--cs-shadow); font-size: 0.9em; }
.cs-removed span { flex: 1; display: -webkit-box; overflow: hidden; overflow-wrap: anywhere; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.cs-panel .cs-mine { display: flex; align-items: center; gap: 10px; padding: 7px 8px; border-radius: 9px; line-height: 1.25; }
.cs-panel .cs-mine:hover { background: var(--cs-hover); }
.cs-mine .cs-icon { width: 1.4em; height: 1.4em; color: var(--cs-muted); }
.cs-mine small { display: block; color: var(--cs-muted); font-size: 0.85em; }
`;
