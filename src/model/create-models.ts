// Reaches a model for somebody, writes down what that cost, and says no when it must. Knows no chats and no rights:
// who the user is, what is asked and which tools are offered is handed in.
import { v7 as newId } from "uuid";
import type { Database } from "../database/database.ts";
import { silentLogger, type Logger } from "../logger.ts";
import { invariant, refused } from "../outcome.ts";
import type { Settings } from "../settings/settings.ts";
import type { GuardRefusal } from "../wire/reasons.ts";
import type { CompleteWiring } from "./make-call.ts";
import { createEndpoints } from "./endpoints.ts";
import { deleteFlags, writeFlag } from "./flags.sql.ts";
import { consider } from "./guard.ts";
import { createJournalLeases } from "./journal.ts";
import { noteRefusal } from "./journal.sql.ts";
import type { Endpoint, Models, UsageRow, UsageSink } from "./model.ts";
import { prepareCall } from "./prepare-call.ts";
import { createSeal } from "./seal.ts";
import { createAddressCheck } from "./address-check.ts";
import { deleteCounters, deleteOldRequests, forgetRequests } from "./admin.sql.ts";
import { createModelAdmin } from "./create-model-admin.ts";
import { ensureSiteCounters } from "./spend.sql.ts";
import { tryEndpoint } from "./try-endpoint.ts";

/** A call or a turn that a budget refused. */
export interface BudgetRefusal {
  readonly userId: string;
  readonly task: string;
  readonly reason: "budget_user" | "budget_total" | "no_price";
}

/** Which models there are, as a host declares them. */
export interface ModelsOptions {
  /** The first is the site's default unless the setting `endpoint` names another. */
  readonly endpoints?: readonly Endpoint[];
  /** Hosts, with or without a port (`localhost:11434`), that may be reached although their addresses are private. */
  readonly allowPrivateEndpoints?: readonly string[];
  /**
   * Environment variables that endpoints made by an admin may take their keys from, wherever those endpoints are: an admin
   * can read them by this. Default: none but each provider's own (`OPENAI_API_KEY` and the like), for that provider's own address.
   */
  readonly credentialVariables?: readonly string[];
  /** What keys stored by an admin are sealed under, at least 32 characters. Default: COUNTERSIGN_SECRET of the environment. */
  readonly secret?: string | undefined;
  /** Told of every refusal by a budget, at once; a throw is logged and harms nothing. */
  readonly onBudgetRefused?: ((refusal: BudgetRefusal) => void) | undefined;
}

export interface ModelsWiring extends ModelsOptions {
  readonly database: Database;
  readonly settings: Settings;
  readonly logger?: Logger;
  /** Named in journal rows. */
  readonly node?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Between 0 and 1: spreads the waits between attempts. */
  readonly random?: () => number;
  /** The first wait between two attempts, in milliseconds; it doubles. Default 500. */
  readonly backoffMs?: number;
}

/** How long an answer that is whole may keep its stream open. */
const finishedIdleMs = 2_000;

/** Makes the models of a node. Throws on a secret that is too short and on two endpoints of one name. */
export function createModels(wiring: ModelsWiring): Models {
  const {
    database,
    settings,
    logger = silentLogger,
    node = "node",
    now = Date.now,
    random = Math.random,
    backoffMs = 500,
  } = wiring;
  const declared = wiring.endpoints ?? [];
  const twice = declared.find(({ name }, index) => declared.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined)
    throw new Error(`countersign: models.endpoints: expected different names, got ${twice.name} twice`);
  const secret = wiring.secret ?? process.env["COUNTERSIGN_SECRET"];
  const seal = secret ? createSeal(secret) : null;
  const addresses = createAddressCheck(wiring.allowPrivateEndpoints ?? []);
  const credentialVariables = wiring.credentialVariables ?? [];
  const endpoints = createEndpoints({
    database,
    logger,
    declared,
    seal,
    credentialVariables,
    now,
    addresses,
    limits: { idleMs: settings.fixed.modelIdleLimit, finishedIdleMs, bytes: settings.fixed.modelBytes },
    siteChoice: async () => (await settings.site()).values,
  });
  const leases = createJournalLeases({ database, logger, leaseMs: settings.fixed.journalLease });
  const sinks = new Set<UsageSink>();

  const tell = (row: UsageRow): void => {
    for (const sink of sinks) {
      try {
        sink(row);
      } catch {
        logger.error({ requestId: row.requestId }, "a usage sink threw");
      }
    }
  };
  const tellRefusal = ({ reason, ...who }: Parameters<CompleteWiring["refused"]>[0]): void => {
    if (!isOfBudget(reason)) return;
    try {
      wiring.onBudgetRefused?.({ ...who, reason });
    } catch {
      logger.error({ reason }, "onBudgetRefused threw");
    }
  };
  const note = async (refusal: Omit<Parameters<typeof noteRefusal>[0], "id" | "node">): Promise<void> => {
    try {
      await database.query(noteRefusal({ ...refusal, id: newId(), node }));
    } catch {
      logger.warn({ reason: refusal.reason }, "a refusal by a budget could not be written to the journal");
    }
  };
  const calls: CompleteWiring = {
    database,
    settings,
    endpoints,
    leases,
    logger,
    node,
    backoffMs,
    now,
    random,
    tell,
    refused: tellRefusal,
  };
  const considered: Models["consider"] = async (userId, task) => {
    const { values } = await settings.forUser(userId);
    const endpoint = await endpoints.choose(values, { pictures: false });
    if (values.aiOn && endpoint === null) return { statement: null, judge: async () => refused("no_endpoint") };
    const { statement, judge } = consider(values, { userId, task, priced: endpoint?.price !== undefined });
    return {
      statement,
      async judge(rows) {
        const asked = rows ?? (statement === null ? [] : await database.query(statement));
        const admitted = judge(asked);
        if (!admitted.ok) {
          const { reason } = admitted;
          tellRefusal({ userId, task, reason });
          const asks = { endpoint: endpoint?.name ?? "", modelAsked: endpoint?.model ?? "" };
          if (isOfBudget(reason)) await note({ userId, task, reason, ...asks });
        }
        return admitted;
      },
    };
  };
  return {
    admit: async (userId, task) => {
      const { judge } = await considered(userId, task);
      return judge(null);
    },
    consider: considered,
    complete: async (request) => (await prepareCall(calls, request)).run(),
    prepare: (request) => prepareCall(calls, request),
    reportOffPurpose: (report) => writeFlag(database, report),
    describe: async (userId) => {
      const { values } = await settings.forUser(userId);
      const endpoint = await endpoints.choose(values, { pictures: false });
      if (endpoint === null) return null;
      const seeing = await endpoints.choose(values, { pictures: true });
      const demo = endpoint.provider === "demo";
      return { endpoint: endpoint.name, name: endpoint.model, demo, images: seeing?.images === true };
    },
    onUsage: (sink) => {
      sinks.add(sink);
      return () => void sinks.delete(sink);
    },
    sweep: async () => {
      await leases.sweep();
      const { keepJournalFor } = (await settings.site()).values;
      if (keepJournalFor !== null) await deleteOldRequests(database, keepJournalFor);
    },
    admin: createModelAdmin({
      database,
      endpoints,
      declared,
      seal,
      addresses,
      credentialVariables,
      tryOut: (endpoint, userId) => tryEndpoint(calls, endpoint, userId),
      chooseForSite: async () => endpoints.choose((await settings.site()).values, { pictures: false }),
    }),
    forgetUser: async (userId) => {
      invariant(userId !== "", "a user has an id");
      // the site's counters keep what the user spent
      await ensureSiteCounters(database);
      await deleteCounters(database, userId);
      await deleteFlags(database, userId);
      while ((await forgetRequests(database, userId)) > 0);
    },
    close: async () => {
      leases.close();
      await endpoints.close();
    },
  };
}

function isOfBudget(reason: GuardRefusal): reason is BudgetRefusal["reason"] {
  return reason === "budget_user" || reason === "budget_total" || reason === "no_price";
}
