import type { Database } from "../database/database.ts";
import { cleanText } from "../database/clean-text.ts";
import type { Logger } from "../logger.ts";
import { invariant } from "../outcome.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { Settings } from "../settings/settings.ts";
import type { GuardRefusal } from "../wire/reasons.ts";
import type { Endpoints } from "./endpoints.ts";
import type { JournalLeases } from "./journal.ts";
import { endRequest, type EndRow } from "./journal.sql.ts";
import { makeAttempts, type Attempts } from "./make-attempts.ts";
import type { CompleteAnswer, CompleteRequest, Endpoint, Usage, UsageRow } from "./model.ts";
import { toLogWords } from "./provider-words.ts";
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

/** Makes a call whose journal row is written, and ends that row. */
export async function makeCall(
  wiring: CompleteWiring,
  request: CompleteRequest,
  of: { readonly endpoint: Endpoint; readonly values: SettingValues; readonly key: Around["key"] },
): Promise<CompleteAnswer> {
  const { endpoints, leases, now, random } = wiring;
  const { endpoint, values, key } = of;
  const { id } = key;
  const began = now();
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
      const release = (): void => leases.release(key);
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
    if (!isLeft) leases.release(key);
  }
}

/** Longer than a database takes to restart. */
const endPauses = [100, 200, 400, 800, 1_600, 3_200];

/** What a call cost is worth more than one try: a row that is not ended is given up as lost, with all it reserved. */
export async function end({ database }: CompleteWiring, row: EndRow): Promise<void> {
  for (const pause of endPauses) {
    try {
      await database.query(endRequest(row));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  await database.query(endRequest(row));
}

export interface Around {
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
