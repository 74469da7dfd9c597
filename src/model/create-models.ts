// Reaches a model for somebody, writes down what that cost, and says no when it must. Knows no chats and no rights:
// who the user is, what is asked and which tools are offered is handed in.
import { v7 as newId } from "uuid";
import type { Database } from "../database/database.ts";
import { silentLogger, type Logger } from "../logger.ts";
import { invariant, type Outcome } from "../outcome.ts";
import type { Settings } from "../settings/settings.ts";
import type { GuardRefusal } from "../wire/reasons.ts";
import { makeAttempts, type Attempts } from "./complete.ts";
import { createEndpoints, type Endpoints } from "./endpoints.ts";
import { writeFlag } from "./flags.sql.ts";
import { admit, hasBudget, limitsOf } from "./guard.ts";
import { createJournalLeases } from "./journal.ts";
import { beginRequest, endRequest, type BeginRow, type EndRow } from "./journal.sql.ts";
import type { CompleteAnswer, CompleteRequest, Endpoint, Models, Usage, UsageRow, UsageSink } from "./model.ts";
import { largestCost } from "./reserve.ts";
import { ensureSiteCounters, ensureUserCounters } from "./spend.sql.ts";
import { readUsage } from "./usage.ts";

/** Which models there are, as a host declares them. */
export interface ModelsOptions {
  /** The first is the site's default unless a setting names another. */
  readonly endpoints?: readonly Endpoint[];
}

export interface ModelsWiring extends ModelsOptions {
  readonly database: Database;
  readonly settings: Settings;
  readonly logger?: Logger;
  /** Named in journal rows. */
  readonly node?: string;
  readonly now?: () => number;
  readonly random?: () => number;
}

export function createModels(wiring: ModelsWiring): Models {
  const { database, settings, logger = silentLogger, node = "node", now = Date.now, random = Math.random } = wiring;
  const endpoints: Endpoints = createEndpoints(wiring.endpoints ?? []);
  const leases = createJournalLeases({ database, logger, leaseMs: settings.fixed.journalLease });
  const sinks = new Set<UsageSink>();

  const begin = async (row: BeginRow): Promise<GuardRefusal | null> => {
    for (let tries = 0; tries < 3; tries += 1) {
      const verdict = await beginRequest(database, row);
      if (verdict !== "missing") return verdict;
      await ensureUserCounters(database, row.userId);
      if (row.limits.siteDay !== null || row.limits.siteMonth !== null) await ensureSiteCounters(database);
    }
    throw new Error("countersign: the spending counters could not be made");
  };
  const tell = (row: UsageRow): void => {
    for (const sink of sinks) {
      try {
        sink(row);
      } catch {
        logger.error({ requestId: row.requestId }, "a usage sink threw");
      }
    }
  };

  const complete = async (request: CompleteRequest): Promise<CompleteAnswer> => {
    invariant(
      request.admission.userId === request.userId && request.admission.task === request.task,
      "a call names its own user's admission for its own task",
    );
    const { values } = await settings.forUser(request.userId);
    const endpoint = await endpoints.forUser(request.userId);
    const limits = limitsOf(values);
    const largest = endpoint === null ? null : largestCost(endpoint, request);
    const refusal = !values.aiOn
      ? "ai_off"
      : endpoint === null
        ? "no_endpoint"
        : largest === null && hasBudget(limits)
          ? "no_price"
          : null;
    const id = newId();
    const began = now();
    const verdict = await begin({
      userId: request.userId,
      id,
      source: request.source,
      task: request.task,
      ...request.attribution,
      endpoint: endpoint?.name ?? "",
      modelAsked: endpoint?.model ?? "",
      node,
      reserveMicros: largest ?? 0,
      counts: refusal === null && largest !== null && (largest > 0 || hasBudget(limits)),
      refusal,
      limits,
    });
    if (verdict !== null || endpoint === null) {
      return { ...failed, reason: verdict ?? "no_endpoint" };
    }
    const key = { userId: request.userId, id };
    leases.hold(key);
    try {
      const made = await makeAttempts(await endpoints.open(endpoint), request, {
        retries: values.modelRetries,
        totalMs: values.modelTotalLimit,
        now,
        random,
      });
      const row = toEndRow(made, { endpoint, key, began, ended: now() });
      await endRequest(database, row);
      const usage = toUsage(row, endpoint);
      tell({
        ...usage,
        requestId: id,
        userId: request.userId,
        source: request.source,
        task: request.task,
        attribution: request.attribution,
        endpoint: endpoint.name,
        status: made.failure === null ? "ok" : "error",
        code: made.failure?.code ?? null,
      });
      return toAnswer(made, usage, id);
    } finally {
      leases.release(key);
    }
  };

  return {
    admit: async (
      userId,
      task,
    ): Promise<Outcome<{ readonly admission: CompleteRequest["admission"] }, GuardRefusal>> => {
      const { values } = await settings.forUser(userId);
      const endpoint = await endpoints.forUser(userId);
      if (values.aiOn && endpoint === null) return { ok: false, reason: "no_endpoint" };
      return admit(database, values, { userId, task, priced: endpoint?.price !== undefined });
    },
    complete,
    reportOffPurpose: (report) => writeFlag(database, report),
    describe: async (userId) => {
      const endpoint = await endpoints.forUser(userId);
      if (endpoint === null) return null;
      const demo = endpoint.provider === "demo";
      return { endpoint: endpoint.name, name: endpoint.model, demo, images: endpoint.images ?? false };
    },
    onUsage: (sink) => {
      sinks.add(sink);
      return () => void sinks.delete(sink);
    },
    sweep: () => leases.sweep(),
    close: async () => leases.close(),
  };
}

const failed = { ok: false, status: null, requestId: null, usage: null, shown: false, retryAfter: null } as const;

interface Around {
  readonly endpoint: Endpoint;
  readonly key: { readonly userId: string; readonly id: string };
  readonly began: number;
  readonly ended: number;
}

function toEndRow({ last, failure, count, firstTokenAt }: Attempts, around: Around): EndRow {
  const spent = readUsage(last.usage, around.endpoint.price);
  return {
    ...around.key,
    ...spent,
    status: failure === null ? "ok" : "error",
    code: failure?.code ?? null,
    httpStatus: failure?.status ?? null,
    attempts: count,
    modelAnswered: last.answeredBy,
    providerRequestId: last.providerRequestId,
    countMicros: spent.costMicros ?? (failure?.free === true ? 0 : null),
    latencyMs: around.ended - around.began,
    firstTokenMs: firstTokenAt === null ? null : firstTokenAt - around.began,
    content: null,
    lapsedMs: null,
  };
}

function toUsage(row: EndRow, endpoint: Endpoint): Usage {
  return {
    model: row.modelAnswered ?? endpoint.model,
    inputTokens: row.inputTokens,
    cachedTokens: row.cachedTokens,
    outputTokens: row.outputTokens,
    reasoningTokens: row.reasoningTokens,
    costMicros: row.costMicros,
    latencyMs: row.latencyMs ?? 0,
  };
}

function toAnswer({ last, failure, shown }: Attempts, usage: Usage, requestId: string): CompleteAnswer {
  if (failure !== null) {
    const { code, status, retryAfterMs } = failure;
    const retryAfter = retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1_000);
    return { ok: false, reason: code, status, requestId, usage, shown, retryAfter };
  }
  const { text, calls, droppedCalls, end } = last;
  invariant(
    end === "text" || end === "calls" || end === "cut" || end === "empty" || end === "continue",
    "an attempt without a failure ended well",
  );
  return { ok: true, text, calls, end, droppedCalls, usage, requestId };
}
