// May this be done, by this session, now; and a write is held until its user runs it. Decided anew at every call, from
// the session as it is, the settings as they are and the row. It knows no chat, turn or model: whoever uses it names a
// tool, its arguments and a row, and nothing a caller says about rights is believed.
import type { Database } from "../database/database.ts";
import { type Logger, silentLogger } from "../logger.ts";
import type { Settings } from "../settings/settings.ts";
import type { Core } from "./core.ts";
import { createCoreAdmin } from "./create-core-admin.ts";
import { execute, prepareExecute } from "./execute.ts";
import { forgetConfirmations, forgetUser, sweepLapsed } from "./forget.ts";
import { loadSession } from "./load-session.ts";
import { hashArguments, readArguments } from "./read-arguments.ts";
import { expire, lookup, readForUser } from "./read-rows.ts";
import { redeem } from "./redeem.ts";
import { createRegistry } from "./registry.ts";
import { reject } from "./reject.ts";
import { can } from "./rights.ts";
import type { CoreRoom } from "./room.ts";
import { limitOf } from "./run-handler.ts";
import type { Sessions } from "./session.ts";
import { selectSpent, type SpentRow } from "./spent-rows.sql.ts";
import type { Module } from "./tool.ts";
import { visibleTools } from "./visible-tools.ts";

export interface CoreOptions {
  readonly database: Database;
  readonly settings: Settings;
  readonly sessions: Pick<Sessions, "load">;
  readonly modules: readonly Module[];
  readonly logger?: Logger | undefined;
  /** Milliseconds of a clock that never steps back; default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Makes the core of a node. Throws at a definition that cannot work (two tools of one name, a write without a preview,
 * a schema that cannot be turned into JSON Schema …), with the tool's name and the mend.
 */
export function createCore(options: CoreOptions): Core {
  const { database, settings, sessions, logger = silentLogger, now = () => performance.now() } = options;
  const registry = createRegistry(options.modules);
  const room: CoreRoom = { database, settings, sessions, registry, logger, now };
  const read = (args: string) => readArguments(args, settings.fixed);
  return {
    loadSession: (sessionRef) => loadSession(room, sessionRef),
    can: (session, permission) => can(room, session, permission),
    visibleFor: (sessionRef) => visibleTools(room, sessionRef),
    execute: (sessionRef, call) => execute(room, sessionRef, call),
    prepare: (sessionRef, call) => prepareExecute(room, sessionRef, call),
    redeem: (sessionRef, redemption) => redeem(room, sessionRef, redemption),
    rejectForUser: (sessionRef, confirmationId, request) => reject(room, sessionRef, { ...request, confirmationId }),
    getForUser: (sessionRef, ids) => readForUser(room, sessionRef, ids),
    lookupForUser: (userId, ids) => lookup(room, userId, ids),
    expireForUser: (userId, ids) => expire(room, userId, ids),
    titleOf: (tool) => registry.get(tool)?.title ?? null,
    kindOf: (tool) => registry.get(tool)?.tool.kind ?? null,
    longestClick(tool) {
      const { hostCallLimit, previewTimeLimit, runEndMargin } = settings.fixed;
      // Session and right of the click, of the checks, and of the checks repeated before the spend; the schema.
      return 7 * hostCallLimit + previewTimeLimit + limitOf(room, registry.get(tool)?.tool.timeLimit) + runEndMargin;
    },
    argumentsHash(args) {
      const answer = read(args);
      return answer.ok ? hashArguments(answer.value) : null;
    },
    printArguments(args) {
      const answer = read(args);
      return answer.ok ? JSON.stringify(answer.value, null, 2) : null;
    },
    admin: createCoreAdmin(room, options.modules),
    spentRows: (from, limit) => database.query<SpentRow>(selectSpent(from, limit)),
    sweep: () => sweepLapsed(room),
    forgetConfirmations: (userId, ids) => forgetConfirmations(room, userId, ids),
    forgetUser: (userId) => forgetUser(room, userId),
  };
}
