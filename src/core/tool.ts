import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Change } from "../wire/cards.ts";
import type { RequestContext, Session } from "./session.ts";

/** Any value JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A schema of a tool's input: Standard Schema (Zod, Valibot, ArkType …) or plain JSON Schema. */
export type InputSchema = StandardSchemaV1 | JsonObject;

/** What a handler gets for a schema: the schema's output, or the checked arguments as they are for a JSON Schema. */
export type InputOf<Schema extends InputSchema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : JsonObject;

/** Whose doing a call is: `agent` for the assistant's, or a word of the host's own. */
export type Via = "agent" | (string & {});

/** What a handler gets beside its input. */
export interface ToolContext extends RequestContext {
  readonly session: Session;
  readonly via: Via;
  /** Fires when the time limit is over or, for a read or a dry run, when its turn was stopped. */
  readonly signal: AbortSignal;
  readonly locale: string;
  readonly timeZone: string;
}

/** What a write's handler gets: a key that is the same for every attempt at this one write, and the dry run it was shown with. */
export interface WriteContext<Data extends Json = Json> extends ToolContext {
  /** The confirmation row's id: hand it to whatever must happen once. */
  readonly idempotencyKey: string;
  /** The dry run made right before the handler; it equals the approved one in all that its fingerprint covers. */
  readonly preview: { readonly data: Data | undefined };
}

/** The answer of a dry run: what would change. */
export interface Preview<Data extends Json = Json> {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly warnings?: readonly string[] | undefined;
  /** Kept beside the card and given to the handler; never shown. */
  readonly data?: Data | undefined;
  /** A version or ETag: takes the place of all that was shown when this write is compared with the one that was approved. */
  readonly fingerprint?: string | undefined;
}

/** A tool's own no, with a code that reaches the click and one sentence for people. Made by `refuse`. */
export interface ToolRefusal {
  readonly refusal: { readonly code: string; readonly sentence: string };
}

/** A rate limit of one tool, per user. A write's holds and its redeems are counted apart. */
export interface RateLimit {
  readonly limit: number;
  readonly perSeconds: number;
}

interface Common {
  /** Lower-case letters, digits and single underscores; unique in its module. The registry name is `module.name`. */
  readonly name: string;
  /** What people read on a card and while the tool runs. Default: the name in words. */
  readonly title?: string | undefined;
  /** What the model reads. */
  readonly description: string;
  /** The JSON Schema the model reads, for an input schema that cannot be turned into one by itself. */
  readonly jsonSchema?: JsonObject | undefined;
  /** Asked of the live session (`session.can`) at every call. */
  readonly permission: string;
  /** What a session limited to scopes must have among them. A tool without one needs none. */
  readonly scope?: string | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** Milliseconds; default 30,000 (`toolTimeLimit`). */
  readonly timeLimit?: number | undefined;
}

/** A tool that runs at once. It may answer `refuse(…)`. */
export interface ReadTool<Schema extends InputSchema = InputSchema> extends Common {
  readonly kind: "read";
  readonly input: Schema;
  run(ctx: ToolContext, input: InputOf<Schema>): unknown;
}

/** A tool whose dry run is shown and whose handler runs only when its user confirms. */
export interface WriteTool<Schema extends InputSchema = InputSchema, Data extends Json = Json> extends Common {
  readonly kind: "write";
  readonly input: Schema;
  /** The dry run: writes nothing. */
  preview(ctx: ToolContext, input: InputOf<Schema>): Promise<Preview<Data> | ToolRefusal> | Preview<Data> | ToolRefusal;
  run(ctx: WriteContext<Data>, input: InputOf<Schema>): unknown;
  /** Names the facts that count when the approved write is compared with a fresh dry run. Missing facts, or a throw, are `preview_failed`. */
  fingerprint?(preview: Preview<Data>): Json | undefined;
}

/** A tool of any input, as a registry holds it: its input was checked where it was defined, and is checked again by its schema at every call. */
export type AnyTool = AnyReadTool | AnyWriteTool;

export interface AnyReadTool extends Common {
  readonly kind: "read";
  readonly input: InputSchema;
  run(ctx: ToolContext, input: never): unknown;
}

export interface AnyWriteTool extends Common {
  readonly kind: "write";
  readonly input: InputSchema;
  preview(ctx: ToolContext, input: never): Promise<Preview | ToolRefusal> | Preview | ToolRefusal;
  run(ctx: WriteContext<never>, input: never): unknown;
  fingerprint?(preview: Preview<never>): Json | undefined;
}

/** A named group of tools that can be switched off as one, and that has the box "assistant may write here". */
export interface Module {
  readonly key: string;
  readonly title: string;
  readonly tools: readonly AnyTool[];
  /** The box's default: whether the assistant may ask for this module's writes. */
  readonly sessionWrites: boolean;
}
