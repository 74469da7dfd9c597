import { v7 as newId } from "uuid";
import type { Database } from "../database/database.ts";
import { cleanText } from "../database/clean-text.ts";
import type { Logger } from "../logger.ts";
import { invariant } from "../outcome.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { Settings } from "../settings/settings.ts";
import type { GuardRefusal } from "../wire/reasons.ts";
import type { Endpoints } from "./endpoints.ts";
import { hasBudget, limitsOf } from "./guard.ts";
import type { JournalLeases } from "./journal.ts";
import { beginRequest, endRequest, type BeginRow, type EndRow } from "./journal.sql.ts";
import { makeAttempts, type Attempts } from "./make-attempts.ts";
import type { CompleteAnswer, CompleteRequest, Endpoint, Usage, UsageRow } from "./model.ts";
import { toLogWords } from "./provider-words.ts";
import { hasPictures } from "./request-shape.ts";
import { largestCost } from "./reserve.ts";
import { ensureSiteCounters, ensureUserCounters } from "./spend.sql.ts";
import { startCallTelemetry } from "./telemetry.ts";
import { readUsage } from "./usage.ts";

export interface CompleteWiring {
  readonly database: Database;
  readonly settings: Settings;
  readonly endpoints: Endpoints;
  readonly leases: JournalLeases;
  readonly logger: Logger;
  readonly node: string;
  readonly backoffMs: number;
  now(): number;
  random(): number;
  /** Told every finished row. */
  tell(row: UsageRow): void;
  /** Told every refusal by the guard. */
  refused(refusal: { readonly userId: string; readonly task: string; readonly reason: GuardRefusal }): void;
}

/** One call, between its journal row's two statements. */
export async function complete(wiring: CompleteWiring, request: CompleteRequest): Promise<CompleteAnswer> {
  const { settings, endpoints, now, random } = wiring;
  invariant(
    request.admission.userId === request.userId && request.admission.task === request.task,
    "a call names its own user's admission for its own task",
  );
  const { values } = await settings.forUser(request.userId);
  const endpoint = await endpoints.choose(values, { pictures: hasPictures(request.prompt) });
  const id = newId();
  const began = now();
  const verdict = await begin(wiring, toBeginRow(request, { id, values, endpoint, node: wiring.node }));
  if (verdict !== null || endpoint === null) {
    const reason = verdict ?? "no_endpoint";
    wiring.refused({ userId: request.userId, task: request.task, reason });
    return { ok: false, reason, status: null, requestId: null, usage: null, shown: false, retryAfter: null };
  }
  const key = { userId: request.userId, id };
  wiring.leases.hold(key);
  const telemetry = startCallTelemetry(endpoint, id);
  let isLeft = false;
  try {
    const made = await makeAttempts(await endpoints.open(endpoint), request, {
      retries: values.modelRetries,
      totalMs: values.modelTotalLimit,
      backoffMs: wiring.backoffMs,
      now,
      random,
    });
    const content = values.captureContent && request.mayCapture ? toContent(request, made) : null;
    const row = toEndRow(made, { endpoint, key, began, ended: now(), content });
    telemetry.end(row);
    if (request.onEnding === undefined) await end(wiring, row);
    else {
      isLeft = true;
      const release = (): void => wiring.leases.release(key);
      const alone = (): Promise<void> => end(wiring, row).finally(release);
      request.onEnding({ statement: endRequest(row), written: release, alone });
    }
    if (made.failure !== null) logFailure(wiring.logger, made, { requestId: id, endpoint: endpoint.name });
    const usage = toUsage(row, endpoint);
    const { source, task, attribution } = request;
    const ending = { status: made.failure === null ? "ok" : "error", code: made.failure?.code ?? null } as const;
    wiring.tell({
      ...usage,
      ...ending,
      ...{ requestId: id, userId: request.userId, source, task, attribution, endpoint: endpoint.name },
    });
    return toAnswer(made, usage, id);
  } finally {
    if (!isLeft) wiring.leases.release(key);
  }
}

async function begin({ database }: CompleteWiring, row: BeginRow): Promise<GuardRefusal | null> {
  for (let tries = 0; tries < 3; tries += 1) {
    const verdict = await beginRequest(database, row);
    if (verdict !== "missing") return verdict;
    await ensureUserCounters(database, row.userId);
    if (row.limits.siteDay !== null || row.limits.siteMonth !== null) await ensureSiteCounters(database);
  }
  throw new Error("countersign: the spending counters could not be made");
}

const endTries = 3;

/** What a call cost is worth a second try: a row that is not ended is given up as lost, with all it reserved. */
async function end({ database }: CompleteWiring, row: EndRow): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await database.query(endRequest(row));
      return;
    } catch (error) {
      if (tries === endTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * tries));
    }
  }
}

interface Known {
  readonly id: string;
  readonly values: SettingValues;
  readonly endpoint: Endpoint | null;
  readonly node: string;
}

function toBeginRow(request: CompleteRequest, { id, values, endpoint, node }: Known): BeginRow {
  const limits = limitsOf(values);
  const budgeted = hasBudget(limits);
  const largest = endpoint === null ? null : largestCost(endpoint, request);
  const refusal = !values.aiOn ? "ai_off" : endpoint === null ? "no_endpoint" : null;
  const unpriced = refusal === null && budgeted && largest === null ? "no_price" : null;
  return {
    userId: request.userId,
    id,
    source: request.source,
    task: request.task,
    messageId: request.attribution.messageId,
    turnId: request.attribution.turnId,
    endpoint: endpoint?.name ?? "",
    modelAsked: endpoint?.model ?? "",
    node,
    reserveMicros: largest ?? 0,
    counts: largest !== null && (largest > 0 || budgeted),
    refusal: refusal ?? unpriced,
    limits,
  };
}

interface Around {
  readonly endpoint: Endpoint;
  readonly key: { readonly userId: string; readonly id: string };
  readonly began: number;
  readonly ended: number;
  readonly content: string | null;
}

function toEndRow({ last, failure, count }: Attempts, around: Around): EndRow {
  const spent = readUsage(last.usage, around.endpoint.price);
  return {
    ...around.key,
    ...spent,
    status: failure === null ? "ok" : "error",
    code: failure?.code ?? null,
    httpStatus: failure?.status ?? null,
    attempts: count,
    modelAnswered: last.answeredBy === null ? null : cleanText(last.answeredBy).slice(0, 200),
    providerRequestId: last.providerRequestId === null ? null : cleanText(last.providerRequestId).slice(0, 200),
    countMicros: spent.costMicros ?? (failure?.free === true ? 0 : null),
    latencyMs: Math.round(around.ended - around.began),
    firstTokenMs: last.firstTokenAt === null ? null : Math.round(last.firstTokenAt - around.began),
    content: around.content,
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

function toContent({ prompt, tools }: CompleteRequest, { last }: Attempts): string {
  const { system, messages } = prompt;
  const kept = messages.map((message) =>
    message.role === "user" ? { role: message.role, text: message.text } : message,
  );
  const answer = { text: last.text, calls: last.calls.map(({ name, argumentsText }) => ({ name, argumentsText })) };
  return JSON.stringify(
    { system, messages: kept, tools: tools.map(({ name }) => name), answer },
    (_key, value: unknown) => (typeof value === "string" ? cleanText(value) : value),
  );
}

function logFailure(
  logger: Logger,
  { failure, count }: Attempts,
  of: { readonly requestId: string; readonly endpoint: string },
): void {
  if (failure === null || failure.code === "aborted") return;
  const fields = {
    ...of,
    code: failure.code,
    status: failure.status,
    attempts: count,
    said: toLogWords(failure.pieces),
  };
  logger.warn(fields, "a call of a model failed");
}

function toAnswer({ last, failure, shown }: Attempts, usage: Usage, requestId: string): CompleteAnswer {
  if (failure !== null) {
    const { code, status, retryAfterMs } = failure;
    const retryAfter = retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1_000);
    return { ok: false, reason: code, status, requestId, usage, shown, retryAfter };
  }
  const { text, calls, droppedCalls, end: ending } = last;
  invariant(
    ending === "text" || ending === "calls" || ending === "cut" || ending === "empty" || ending === "continue",
    "an attempt without a failure ended well",
  );
  return { ok: true, text: cleanText(text), calls, end: ending, droppedCalls, usage, requestId };
}
