import type { PathIds } from "./route.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const nobody = "00000000-0000-0000-0000-000000000000";

/** An id as rooms take it. What is no UUID becomes the nil UUID, so that it meets the very answer of an id that names nothing. */
export function toId(text: string | undefined): string {
  const id = text?.toLowerCase() ?? "";
  return uuid.test(id) ? id : nobody;
}

export function toPathIds(named: Readonly<Record<string, string>>): PathIds {
  return {
    conversationId: toId(named["conversationId"]),
    messageId: toId(named["messageId"]),
    turnId: toId(named["turnId"]),
    attachmentId: toId(named["attachmentId"]),
  };
}

/** The word a path names, as it was before it was written into a URL; what cannot be read names nothing. */
export function toPathName(named: Readonly<Record<string, string>>): string {
  try {
    return decodeURIComponent(named["name"] ?? "");
  } catch {
    return "";
  }
}

/** Reads ids with commas between them; at most 200, and only what can be ids. */
export function toIds(text: string): readonly string[] {
  const ids = text.split(",").map((part) => part.trim().toLowerCase());
  return [...new Set(ids.filter((id) => uuid.test(id)))].slice(0, 200);
}
