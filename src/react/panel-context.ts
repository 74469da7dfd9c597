import { createContext, useContext, useState, useSyncExternalStore } from "react";
import type { AssistantClient } from "../client/client.ts";
import type { Files } from "../client/files.ts";
import { initialSnapshot } from "../client/snapshot.ts";
import type { Snapshot } from "../client/snapshot.ts";
import type { Language } from "./language/language.ts";

export interface Panel {
  readonly client: AssistantClient;
  readonly language: Language;
  readonly files: Files;
  /** What a row remembers while it is scrolled out of sight. */
  readonly kept: Map<string, unknown>;
  /** Says something to those who hear the page. */
  readonly say: (text: string) => void;
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error("countersign: this part of the panel stands outside of <AssistantPanel>.");
  return panel;
}

/** A part of what a client knows, as it is now. `select` must answer the same object as long as nothing changed in it. */
export function useAssistant<Part>(client: AssistantClient, select: (snapshot: Snapshot) => Part): Part {
  return useSyncExternalStore(
    client.subscribe,
    () => select(client.getSnapshot()),
    () => select(initialSnapshot),
  );
}

/** The same for the client of the panel around. */
export function useSnapshot<Part>(select: (snapshot: Snapshot) => Part): Part {
  return useAssistant(usePanel().client, select);
}

/** State of a row that outlives its being scrolled out of sight. */
export function useKept<Value>(key: string, initial: Value): readonly [Value, (value: Value) => void] {
  const { kept } = usePanel();
  // Kept under a key of its one place, so it is of that place's type.
  const [value, setValue] = useState(() => (kept.has(key) ? (kept.get(key) as Value) : initial));
  return [
    value,
    (next) => {
      kept.set(key, next);
      setValue(next);
    },
  ];
}
