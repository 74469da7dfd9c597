import { metrics, trace, type Attributes, type Meter, type Span, type Tracer } from "@opentelemetry/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createScriptedScene } from "../testing/model-scene.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";

interface Told {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  ended: boolean;
}

const spans: Told[] = [];
const measured: { readonly name: string; readonly value: number; readonly attributes: Attributes | undefined }[] = [];

/** A collector that implements the public interface of OpenTelemetry, as an SDK of a host would. */
function startSpan(name: string, options?: { readonly attributes?: Attributes }): Span {
  const told: Told = { name, attributes: { ...options?.attributes }, ended: false };
  spans.push(told);
  const span: Span = {
    spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }),
    setAttribute: () => span,
    setAttributes: (attributes) => {
      Object.assign(told.attributes, attributes);
      return span;
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    setStatus: ({ code, message }) => {
      Object.assign(told.attributes, { status: code, message });
      return span;
    },
    updateName: () => span,
    end: () => {
      told.ended = true;
    },
    isRecording: () => true,
    recordException: () => {},
  };
  return span;
}

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  const tracer = { startSpan } as Tracer;
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  const createHistogram: Meter["createHistogram"] = (name) => ({
    record: (value, attributes) => measured.push({ name, value, attributes }),
  });
  metrics.setGlobalMeterProvider({ getMeter: () => ({ createHistogram }) as Meter });
});
afterAll(async () => {
  trace.disable();
  metrics.disable();
  await own.drop();
});

test("a call is a span and measurements by the GenAI conventions, without content", async () => {
  const endpoint = { baseURL: "https://models.example.test:8443/v1", temperature: 0.2 };
  const script = ["The secret answer.", { fail: { status: 401 } }];
  const scene = createScriptedScene(script, { database: own.database, endpoint });
  const answer = await scene.ask();
  await scene.ask();
  await scene.close();
  expect(spans).toMatchObject([
    {
      name: "chat big",
      ended: true,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "big",
        "gen_ai.request.max_tokens": 4_096,
        "gen_ai.request.temperature": 0.2,
        "gen_ai.request.stream": true,
        "gen_ai.response.model": "scripted",
        "gen_ai.response.id": "scripted-request",
        "gen_ai.response.time_to_first_chunk": expect.any(Number),
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.cache_read.input_tokens": 0,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.reasoning.output_tokens": 0,
        "server.address": "models.example.test",
        "server.port": 8_443,
        "countersign.request.id": answer.requestId,
      },
    },
    { name: "chat big", ended: true, attributes: { "error.type": "auth_failed", status: 2 } },
  ]);
  expect(
    measured.map(({ name, attributes }) => [name, attributes?.["gen_ai.token.type"], attributes?.["error.type"]]),
  ).toEqual([
    ["gen_ai.client.token.usage", "input", undefined],
    ["gen_ai.client.token.usage", "output", undefined],
    ["gen_ai.client.operation.duration", undefined, undefined],
    ["gen_ai.client.operation.time_to_first_chunk", undefined, undefined],
    ["gen_ai.client.operation.duration", undefined, "auth_failed"],
  ]);
  const all = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "big" };
  const at = { "server.address": "models.example.test", "server.port": 8_443 };
  for (const { attributes } of measured) expect(attributes).toMatchObject({ ...all, ...at });
  expect(JSON.stringify([spans, measured])).not.toMatch(/secret|invoices|You help/);
});
