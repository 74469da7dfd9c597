import { v7 as newId } from "uuid";
import type { Beside } from "../database/beside.ts";
import { invariant } from "../outcome.ts";
import type { SettingValues } from "../settings/schema.ts";
import { end, makeCall, type CompleteWiring } from "./make-call.ts";
import { hasBudget, limitsOf } from "./guard.ts";
import { beginRequest, type BeginRow, type BeginVerdict, type BegunRow, type EndRow } from "./journal.sql.ts";
import type { CompleteRequest, Endpoint, PreparedCall } from "./model.ts";
import { hasPictures } from "./request-shape.ts";
import { largestCost } from "./reserve.ts";
import { ensureSiteCounters, ensureUserCounters } from "./spend.sql.ts";

/** One call, between its journal row's two statements; of the endpoint its user's settings name, unless one is given. */
export async function prepareCall(
  wiring: CompleteWiring,
  request: CompleteRequest,
  given?: Endpoint,
): Promise<PreparedCall> {
  const { settings, endpoints, leases } = wiring;
  invariant(
    request.admission.userId === request.userId && request.admission.task === request.task,
    "a call names its own user's admission for its own task",
  );
  const { values } = await settings.forUser(request.userId);
  const endpoint = given ?? (await endpoints.choose(values, { pictures: hasPictures(request.prompt) }));
  const key = { userId: request.userId, id: newId() };
  const row = toBeginRow(request, { id: key.id, values, endpoint, node: wiring.node });
  let verdict: BeginVerdict | "unwritten" = "unwritten";

  const begin: Beside = {
    statement: beginRequest(row),
    written(rows) {
      // The one row of the statement above.
      const [begun] = rows as readonly BegunRow[];
      verdict = begun?.refusal ?? null;
      if (verdict === null) leases.hold(key);
    },
    async alone() {
      for (let tries = 0; tries < 3; tries += 1) {
        begin.written(await wiring.database.query(begin.statement));
        if (verdict !== "missing") return;
        await ensureUserCounters(wiring.database, row.userId);
        if (row.limits.siteDay !== null || row.limits.siteMonth !== null) await ensureSiteCounters(wiring.database);
      }
      throw new Error("countersign: the spending counters could not be made");
    },
  };

  return {
    begin,
    async run() {
      // Written together with others it may lack its counters; then nothing of it was written.
      if (verdict === "unwritten" || verdict === "missing") await begin.alone();
      if (verdict !== null || endpoint === null) {
        const reason = verdict === null || verdict === "unwritten" || verdict === "missing" ? "no_endpoint" : verdict;
        wiring.refused({ userId: request.userId, task: request.task, reason });
        return { ok: false, reason, status: null, requestId: null, usage: null, shown: false, retryAfter: null };
      }
      return makeCall(wiring, request, { endpoint, values, key });
    },
    async drop() {
      if (verdict !== null) return;
      try {
        await end(wiring, { ...key, ...neverMade });
      } finally {
        leases.release(key);
      }
    },
  };
}

/** What is known of a call whose row was written and that was never made. */
const neverMade: Omit<EndRow, "userId" | "id"> = {
  ...{ status: "error", code: "aborted", httpStatus: null, attempts: 0, modelAnswered: null, providerRequestId: null },
  ...{ inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null, costMicros: null },
  ...{ countMicros: 0, latencyMs: null, firstTokenMs: null, content: null, lapsedMs: null },
};

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
