import { callHost } from "./call-host.ts";
import { canonicalHash } from "./canonical-hash.ts";
import type { Call, CoreRefusal, RefusedByTool } from "./core.ts";
import { describeError } from "./describe-error.ts";
import { readFacts, toComparable, toFingerprint } from "./fingerprint.ts";
import { hashArguments } from "./read-arguments.ts";
import { type ReadPreview, readPreview } from "./read-preview.ts";
import { isRefusal } from "./refuse.ts";
import type { RegisteredTool } from "./registry.ts";
import type { CoreRoom } from "./room.ts";
import type { Session } from "./session.ts";
import { type Language, toContext } from "./tool-context.ts";
import type { AnyWriteTool, JsonObject } from "./tool.ts";

/** What a dry run needs of a call that was let through. */
export interface Rehearsal {
  readonly registered: RegisteredTool;
  readonly tool: AnyWriteTool;
  readonly session: Session;
  readonly args: JsonObject;
  readonly input: never;
  readonly call: Call;
  /** The language and zone the card is written in. */
  readonly language: Language;
}

/** A dry run that went well: what its card shows and what a later one is compared with. */
export interface Rehearsed {
  readonly ok: true;
  readonly preview: ReadPreview;
  readonly argsHash: string;
  readonly fingerprint: string;
}

/** Runs a write's dry run under its limit. A throw, a late answer, an answer that is none, or an input it changed is `preview_failed`. */
export async function dryRun(
  room: CoreRoom,
  rehearsal: Rehearsal,
): Promise<Rehearsed | CoreRefusal<"preview_failed"> | RefusedByTool> {
  const { registered, tool, session, input, call, language } = rehearsal;
  const fail = (fields: object): CoreRefusal<"preview_failed"> => {
    const { requestId } = call.requestContext;
    room.logger.warn({ tool: registered.name, requestId, ...fields }, "a dry run failed");
    return { ok: false, reason: "preview_failed" };
  };
  try {
    const before = canonicalHash(toComparable(input));
    const answer = await callHost((signal) => tool.preview(toContext({ session, call, signal, language }), input), {
      limit: room.settings.fixed.previewTimeLimit,
      signal: call.signal,
    });
    if (answer.how === "threw") return isRefusal(answer.error) ? toRefused(answer.error) : fail(fieldsOf(answer.error));
    if (answer.how !== "answered") return fail({ how: answer.how });
    if (isRefusal(answer.value)) return toRefused(answer.value);
    const read = readPreview(answer.value, room.settings.fixed.previewBytes);
    if (!read.ok) return fail({ wrong: read.at });
    // The handler gets this same input: what a dry run changed in it nobody approved.
    if (canonicalHash(toComparable(input)) !== before) return fail({ wrong: "input" });
    const argsHash = hashArguments(rehearsal.args);
    const facts = readFacts(tool, read.preview);
    const fingerprint = toFingerprint({ tool: registered.name, argsHash, input: before, preview: read.preview, facts });
    return { ok: true, preview: read.preview, argsHash, fingerprint };
  } catch (error) {
    return fail(fieldsOf(error));
  }
}

function fieldsOf(error: unknown): object {
  return { error: describeError(error) };
}

function toRefused({
  refusal,
}: {
  readonly refusal: { readonly code: string; readonly sentence: string };
}): RefusedByTool {
  return { ok: false, reason: "refused_by_tool", code: refusal.code, sentence: refusal.sentence };
}

/** What is kept of a preview, as JSON text. */
export function toStoredPreview({ shown, data }: ReadPreview): string {
  return JSON.stringify(data === undefined ? shown : { ...shown, data });
}
