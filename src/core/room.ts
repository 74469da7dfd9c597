import type { Database } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import type { Settings } from "../settings/settings.ts";
import type { Registry } from "./registry.ts";
import type { Sessions } from "./session.ts";

/** What core's steps work with. */
export interface CoreRoom {
  readonly database: Database;
  readonly settings: Settings;
  readonly sessions: Pick<Sessions, "load">;
  readonly registry: Registry;
  readonly logger: Logger;
  /** Milliseconds of a clock that never steps back. */
  now(): number;
}
