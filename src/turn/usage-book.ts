import type { Chat } from "../chat/chat.ts";
import type { StoredUsage } from "../chat/stored-message.ts";
import { describeError } from "../core/describe-error.ts";
import type { Logger } from "../logger.ts";
import type { Models, UsageRow } from "../model/model.ts";

/**
 * The journal rows of the messages this process is about to store: a row is heard before `complete` returns, so that
 * its message is stored with it. A row of any other message is linked in the database.
 */
export interface UsageBook {
  /** Opens a page for the id an answer will be stored under. */
  expect(messageId: string): void;
  /** What was heard for it, if anything; closes the page. */
  take(messageId: string): StoredUsage | null;
  close(): void;
}

export function createUsageBook(rooms: {
  readonly chat: Pick<Chat, "linkUsage">;
  readonly models: Pick<Models, "onUsage">;
  readonly logger: Logger;
}): UsageBook {
  const pages = new Map<string, StoredUsage | null>();
  const close = rooms.models.onUsage((row) => {
    const { messageId } = row.attribution;
    if (pages.has(messageId)) {
      pages.set(messageId, toStoredUsage(row));
      return;
    }
    const { userId, requestId } = row;
    rooms.chat.linkUsage({ userId, messageId, requestId }).catch((error: unknown) => {
      rooms.logger.warn({ requestId, error: describeError(error) }, "a journal row could not be linked to its message");
    });
  });
  return {
    expect: (messageId) => void pages.set(messageId, null),
    take(messageId) {
      const usage = pages.get(messageId) ?? null;
      pages.delete(messageId);
      return usage;
    },
    close,
  };
}

function toStoredUsage(row: UsageRow): StoredUsage {
  const { requestId, model, inputTokens, outputTokens, costMicros, latencyMs } = row;
  return { requestId, model, inputTokens, outputTokens, costMicros, latencyMs };
}

/** A message of an answer nobody said anything about. */
export const noUsage: StoredUsage = {
  requestId: null,
  model: null,
  inputTokens: null,
  outputTokens: null,
  costMicros: null,
  latencyMs: null,
};
