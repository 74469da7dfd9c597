import type { Core } from "../core/core.ts";
import type { Session } from "../core/session.ts";
import type { Database } from "../database/database.ts";
import { refused, type Outcome } from "../outcome.ts";
import type { Settings } from "../settings/settings.ts";
import type { Conversation } from "../wire/messages.ts";
import type { ActRefusal } from "../wire/reasons.ts";
import { toConversation, type ConversationRow } from "./conversation-row.ts";
import { readConversation } from "./conversations.sql.ts";
import { isUuid } from "./is-uuid.ts";

/** The permission without which nobody uses the assistant. */
export const usePermission = "assistant.use";

export interface AuthorizeTools {
  readonly database: Database;
  readonly core: Pick<Core, "loadSession" | "can">;
  readonly settings: Pick<Settings, "site">;
}

export interface AuthorizeOptions {
  readonly conversationId?: string;
  readonly whileOff?: boolean;
}

/** Whether a session may act, in the order of `ActRefusal`; the chat is read last. */
export async function authorize(
  tools: AuthorizeTools,
  sessionRef: string,
  options: AuthorizeOptions,
): Promise<Outcome<{ readonly session: Session; readonly conversation: Conversation | null }, ActRefusal>> {
  const loaded = await tools.core.loadSession(sessionRef);
  if (!loaded.ok) return refused(loaded.reason);
  const { session } = loaded;
  if (session.impersonatedBy != null) return refused("impersonated");
  if (!(await tools.core.can(session, usePermission))) return refused("not_allowed");
  if (options.whileOff !== true && !(await tools.settings.site()).values.assistantOn) return refused("assistant_off");
  const { conversationId } = options;
  if (conversationId === undefined) return { ok: true, session, conversation: null };
  if (!isUuid(conversationId)) return refused("not_found");
  const [row] = await tools.database.query<ConversationRow>(readConversation(session.userId, conversationId));
  return row === undefined ? refused("not_found") : { ok: true, session, conversation: toConversation(row) };
}
