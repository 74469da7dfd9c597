import type { Chat, Fence } from "../chat/chat.ts";
import type { Settings } from "../settings/settings.ts";

/** Keeps a click's lock beside its work, every `clickKeepMs` (the settings hold it at half of `lockHold` or less); stops when told, or by itself at its longest. */
export function keepLock(
  room: { readonly chat: Chat; readonly settings: Settings },
  fence: Fence,
): { now(): void; after(milliseconds: number): void } {
  const timer = setInterval(() => {
    // A keep that the database refuses is tried again at the next beat; a lock that is gone stays gone.
    room.chat.keep(fence).then(
      (kept) => {
        if (!kept.held) clearInterval(timer);
      },
      () => undefined,
    );
  }, room.settings.fixed.clickKeepMs);
  let limit: NodeJS.Timeout | undefined;
  return {
    now() {
      clearInterval(timer);
      clearTimeout(limit);
    },
    after(milliseconds) {
      limit = setTimeout(() => clearInterval(timer), milliseconds);
      limit.unref();
    },
  };
}
