import type { Attachments } from "../attachment/attachments.ts";
import type { Chat } from "../chat/chat.ts";
import type { Confirmations } from "../confirmation/confirmations.ts";
import type { Core } from "../core/core.ts";
import type { Logger } from "../logger.ts";
import type { Models } from "../model/model.ts";
import type { Settings } from "../settings/settings.ts";
import type { PromptOptions } from "./system-prompt.ts";

/** What turns are driven with. */
export interface TurnRooms {
  readonly chat: Chat;
  readonly core: Core;
  readonly models: Models;
  readonly settings: Settings;
  readonly confirmations: Confirmations;
  readonly attachments: Attachments;
  /** This process, among those that share the database; named in its log lines. */
  readonly node: string;
  /** The application, as its users know it; told to the model. */
  readonly hostName: string;
  readonly prompt?: PromptOptions | undefined;
  readonly logger: Logger;
}

/** The admission's and the journal's words for a turn of a chat. */
export const turnTask = "agent.chat";
export const turnSource = "agent";
