import { useSyncExternalStore } from "react";

/** The sections, in the order of the menu. */
export const sectionNames = [
  "overview",
  "endpoints",
  "modules",
  "limits",
  "journal",
  "calls",
  "flags",
  "turns",
] as const;
export type SectionName = (typeof sectionNames)[number];

export interface Place {
  readonly section: SectionName;
  /** The user a section is about; null for none. */
  readonly userId: string | null;
}

/** The address of a section, as the part behind `#`: `#journal`, `#limits/<user>`. */
export function toHash(section: SectionName, userId?: string): string {
  return userId === undefined ? `#${section}` : `#${section}/${encodeURIComponent(userId)}`;
}

/** Reads such an address; anything else is the first section. */
export function readHash(hash: string): Place {
  const [name = "", user] = hash.replace(/^#/, "").split("/");
  const section = sectionNames.find((one) => one === name);
  if (section === undefined) return { section: "overview", userId: null };
  try {
    return { section, userId: user === undefined || user === "" ? null : decodeURIComponent(user) };
  } catch {
    return { section, userId: null };
  }
}

/** Where the page's address leads now. */
export function usePlace(): Place {
  const hash = useSyncExternalStore(
    (listener) => {
      addEventListener("hashchange", listener);
      return () => removeEventListener("hashchange", listener);
    },
    () => location.hash,
    () => "",
  );
  return readHash(hash);
}
