import { z } from "zod";
import { defineModule, readTool, writeTool } from "../src/core/define-tool.ts";
import type { Sessions } from "../src/core/session.ts";
import type { Module } from "../src/core/tool.ts";
import type { Endpoint } from "../src/model/model.ts";
import { scriptedModel, type ScriptedStep } from "../src/testing/scripted-model.ts";

/** The host of the benches: everybody may do everything, tools and model answer at once. */
export const texts = {
  question: "Which invoices are overdue?",
  answer: "Two invoices are overdue: INV-1 and INV-2.",
  read: "bench.find",
  write: "bench.rename",
} as const;

export const found = [{ number: "INV-1" }, { number: "INV-2" }];

export const modules: readonly Module[] = [
  defineModule({
    key: "bench",
    title: "Bench",
    sessionWrites: true,
    tools: [
      readTool({
        name: "find",
        title: "Find invoices",
        description: "Finds invoices.",
        permission: "bench.read",
        input: z.object({}),
        run: () => found,
      }),
      writeTool({
        name: "rename",
        title: "Rename",
        description: "Renames the record.",
        permission: "bench.write",
        input: z.object({ name: z.string() }),
        preview: (_ctx, { name }) => ({ title: "Rename", changes: [{ label: "Name", before: "a", after: name }] }),
        run: () => ({ renamed: true }),
      }),
    ],
  }),
];

/** Limits that no bench meets; everything else is as a host finds it. */
export const values = {
  readsPerMinute: 100_000,
  holdsPerMinute: 100_000,
  redeemsPerMinute: 100_000,
  turnsPerHour: 10_000,
};

/** A session's ref is its user. */
export const sessions: Sessions = {
  load: async (ref) => ({ ref, userId: ref, can: () => true }),
  resolve: (request) => request.headers.get("x-user"),
};

/** Asks for one read, then answers from its result. */
const readThenAnswer: ScriptedStep = ({ results }) =>
  results.length > 0 ? texts.answer : { calls: [{ name: "bench__find", arguments: {} }] };

/** An endpoint whose model answers at once; without a price, so that no budget is counted on either side. */
export function endpointOf(step: ScriptedStep = readThenAnswer): Endpoint {
  const languageModel = scriptedModel({ always: step });
  return { name: "bench", provider: "openai-compatible", model: "bench", languageModel };
}
