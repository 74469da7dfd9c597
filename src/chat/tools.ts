import type { Core } from "../core/core.ts";
import type { Database } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import type { Settings } from "../settings/settings.ts";
import type { Message } from "../wire/messages.ts";
import type { ServerEvent } from "../wire/events.ts";

/** What the parts of this room work with. */
export interface ChatTools {
  readonly database: Database;
  readonly core: Pick<Core, "loadSession" | "can" | "titleOf" | "forgetConfirmations">;
  readonly settings: Settings;
  readonly node: string;
  readonly logger: Logger;
  readonly events: Events;
}

/** A chat, wherever it is watched. */
export interface Place {
  readonly userId: string;
  readonly conversationId: string;
}

/** Tells those who watch, on this node and on others. Called after the commit of what it tells. */
export interface Events {
  stored(place: Place, messages: readonly Message[]): void;
  changed(place: Place, message: Message): void;
  happened(place: Place, event: ServerEvent): void;
  deleted(place: Place): void;
  stopAsked(turnId: string): void;
}

/** A chat's place as the key of a map. */
export function keyOf({ userId, conversationId }: Place): string {
  return `${conversationId} ${userId}`;
}
