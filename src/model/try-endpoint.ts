import { v7 as newId } from "uuid";
import { refused, type Outcome } from "../outcome.ts";
import type { GuardRefusal, ModelErrorCode } from "../wire/reasons.ts";
import type { CompleteWiring } from "./make-call.ts";
import type { Endpoint } from "./model.ts";
import { prepareCall } from "./prepare-call.ts";

/** What came of one tiny call: which model answered, in how many milliseconds, or why none did. */
export type TriedEndpoint = Outcome<
  { readonly model: string; readonly latencyMs: number },
  ModelErrorCode | GuardRefusal
>;

const longestMs = 30_000;

/** Makes one tiny call of an endpoint, whatever its user's own is: journalled, guarded and repeated as any other. */
export async function tryEndpoint(wiring: CompleteWiring, endpoint: Endpoint, userId: string): Promise<TriedEndpoint> {
  const task = "admin.try";
  const { run } = await prepareCall(
    wiring,
    {
      ...{ userId, task, source: "admin", tools: [], mayCapture: true },
      admission: { id: newId(), userId, task },
      prompt: { system: "Answer with one word.", messages: [{ role: "user", text: "Say ok." }] },
      attribution: { messageId: newId(), turnId: newId() },
      signal: AbortSignal.timeout(longestMs),
      deadline: wiring.now() + longestMs,
      stopRequested: () => false,
      onText: () => {},
    },
    endpoint,
  );
  const answer = await run();
  if (answer.ok) return { ok: true, model: answer.usage.model, latencyMs: answer.usage.latencyMs };
  return refused(answer.reason === "aborted" ? "timeout" : answer.reason);
}
