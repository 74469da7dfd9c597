import { type Attributes, metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { EndRow } from "./journal.sql.ts";
import type { Endpoint, Provider } from "./model.ts";
import { defaultMaxOutputTokens } from "./reserve.ts";

const scope = "countersign";

/** The names of the GenAI conventions where they have one. */
const providerNames: Readonly<Record<Provider, string>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "gcp.gemini",
  "openai-compatible": "openai_compatible",
  demo: "countersign.demo",
};

/** A span and the measurements of one call, by OpenTelemetry's GenAI conventions (1.41, in development there); never any content. Without a provider set by the host they go nowhere. */
export interface CallTelemetry {
  end(row: EndRow): void;
}

export function startCallTelemetry(endpoint: Endpoint, requestId: string): CallTelemetry {
  const asked = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": providerNames[endpoint.provider],
    "gen_ai.request.model": endpoint.model,
    ...toServer(endpoint.baseURL),
  };
  const span = trace.getTracer(scope).startSpan(`chat ${endpoint.model}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      ...asked,
      "gen_ai.request.max_tokens": endpoint.maxOutputTokens ?? defaultMaxOutputTokens,
      ...(endpoint.temperature !== undefined && { "gen_ai.request.temperature": endpoint.temperature }),
      "gen_ai.request.stream": true,
      "countersign.request.id": requestId,
      "countersign.endpoint": endpoint.name,
    },
  });
  return {
    end: (row) => {
      const answered = row.modelAnswered === null ? {} : { "gen_ai.response.model": row.modelAnswered };
      const failed = row.code === null ? {} : { "error.type": row.code };
      span.setAttributes({
        ...answered,
        ...failed,
        ...(row.providerRequestId !== null && { "gen_ai.response.id": row.providerRequestId }),
        ...(row.inputTokens !== null && { "gen_ai.usage.input_tokens": row.inputTokens }),
        ...(row.cachedTokens !== null && { "gen_ai.usage.cache_read.input_tokens": row.cachedTokens }),
        ...(row.outputTokens !== null && { "gen_ai.usage.output_tokens": row.outputTokens }),
        ...(row.reasoningTokens !== null && { "gen_ai.usage.reasoning.output_tokens": row.reasoningTokens }),
        ...(row.firstTokenMs !== null && { "gen_ai.response.time_to_first_chunk": row.firstTokenMs / 1_000 }),
        "countersign.attempts": row.attempts,
      });
      if (row.code !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: row.code });
      span.end();
      measure({ ...asked, ...answered, ...failed }, row);
    },
  };
}

function toServer(baseURL: string | undefined): { "server.address"?: string; "server.port"?: number } {
  const url = baseURL === undefined ? null : URL.parse(baseURL);
  if (url === null) return {};
  return { "server.address": url.hostname, "server.port": Number(url.port || (url.protocol === "http:" ? 80 : 443)) };
}

/** The boundaries the conventions ask for; seconds doubling, tokens times four. */
const bySeconds = { explicitBucketBoundaries: Array.from({ length: 14 }, (_one, index) => 2 ** index / 100) };
const byTokens = { explicitBucketBoundaries: Array.from({ length: 14 }, (_one, index) => 4 ** index) };

function measure(attributes: Attributes, row: EndRow): void {
  const meter = metrics.getMeter(scope);
  const tokens = meter.createHistogram("gen_ai.client.token.usage", { unit: "{token}", advice: byTokens });
  if (row.inputTokens !== null) tokens.record(row.inputTokens, { ...attributes, "gen_ai.token.type": "input" });
  if (row.outputTokens !== null) tokens.record(row.outputTokens, { ...attributes, "gen_ai.token.type": "output" });
  const inSeconds = (name: string, ms: number | null): void => {
    if (ms !== null) meter.createHistogram(name, { unit: "s", advice: bySeconds }).record(ms / 1_000, attributes);
  };
  inSeconds("gen_ai.client.operation.duration", row.latencyMs);
  inSeconds("gen_ai.client.operation.time_to_first_chunk", row.firstTokenMs);
}
