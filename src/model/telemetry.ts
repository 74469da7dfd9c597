import { metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
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

/** A span and two measurements of one call, by OpenTelemetry's GenAI conventions; never any content. Without a provider set by the host they go nowhere. */
export interface CallTelemetry {
  end(row: EndRow): void;
}

export function startCallTelemetry(endpoint: Endpoint, requestId: string): CallTelemetry {
  const asked = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": providerNames[endpoint.provider],
    "gen_ai.request.model": endpoint.model,
  };
  const address = endpoint.baseURL === undefined ? undefined : URL.parse(endpoint.baseURL);
  const span = trace.getTracer(scope).startSpan(`chat ${endpoint.model}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      ...asked,
      "gen_ai.request.max_tokens": endpoint.maxOutputTokens ?? defaultMaxOutputTokens,
      ...(endpoint.temperature !== undefined && { "gen_ai.request.temperature": endpoint.temperature }),
      ...(address && { "server.address": address.hostname }),
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
        ...(row.outputTokens !== null && { "gen_ai.usage.output_tokens": row.outputTokens }),
        "countersign.attempts": row.attempts,
      });
      if (row.code !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: row.code });
      span.end();
      measure({ ...asked, ...answered, ...failed }, row);
    },
  };
}

function measure(attributes: Readonly<Record<string, string>>, row: EndRow): void {
  const meter = metrics.getMeter(scope);
  const tokens = meter.createHistogram("gen_ai.client.token.usage", { unit: "{token}" });
  if (row.inputTokens !== null) tokens.record(row.inputTokens, { ...attributes, "gen_ai.token.type": "input" });
  if (row.outputTokens !== null) tokens.record(row.outputTokens, { ...attributes, "gen_ai.token.type": "output" });
  const duration = meter.createHistogram("gen_ai.client.operation.duration", { unit: "s" });
  if (row.latencyMs !== null) duration.record(row.latencyMs / 1_000, attributes);
}
