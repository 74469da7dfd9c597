import { emptyDraft } from "./snapshot.ts";
import type { Draft } from "./snapshot.ts";

/** What was typed and not sent, by chat; and which chat this tab had open. Lives as long as the tab, never longer: a computer may be shared. */
export interface Drafts {
  read(chat: string | null): Draft;
  write(chat: string | null, draft: Draft): void;
  readOpen(): string | null;
  writeOpen(chat: string | null): void;
}

export function createDrafts(baseUrl: string): Drafts {
  const prefix = `countersign:${baseUrl}:`;

  // Storage may be absent, full, or forbidden by the page's settings: then drafts live in memory alone.
  function read<Value>(key: string, otherwise: Value): Value {
    try {
      return (JSON.parse(sessionStorage.getItem(prefix + key) ?? "null") as Value | null) ?? otherwise;
    } catch {
      return otherwise;
    }
  }
  function write(key: string, value: Draft | string | null): void {
    try {
      sessionStorage.setItem(prefix + key, JSON.stringify(value));
    } catch {}
  }

  return {
    read: (chat) => read(`draft:${chat}`, emptyDraft),
    write: (chat, draft) => write(`draft:${chat}`, draft.text ? draft : null),
    readOpen: () => read<string | null>("open", null),
    writeOpen: (chat) => write("open", chat),
  };
}
