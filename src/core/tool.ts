import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Change } from "../wire/cards.ts";
import type { RequestContext, Session } from "./session.ts";

/** Any value JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A schema as Standard Schema (Zod, Valibot, ArkType …) or as plain JSON Schema. */
export type InputSchema<Input> = StandardSchemaV1<unknown, Input> | JsonObject;

/** Whose doing a call is: `agent` for the assistant's, or a word of the host's own. */
export type Via = "agent" | (string & {});

/** What a handler gets beside its input. */
export interface ToolContext extends RequestContext {
  readonly session: Session;
  readonly via: Via;
  /** Fires when the tool's time limit is over or the turn was stopped. */
  readonly signal: AbortSignal;
  readonly locale: string;
  readonly timeZone: string;
}

/** What a write's handler gets: a key that is the same for every attempt at this one write, and the dry run it was shown with. */
export interface WriteContext<Data extends Json = Json> extends ToolContext {
  /** The confirmation row's id: hand it to whatever must happen once. */
  readonly idempotencyKey: string;
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

/** A rate limit of one tool, per user. */
export interface RateLimit {
  readonly limit: number;
  readonly perSeconds: number;
}

interface Common<Input> {
  /** Lower-case letters, digits and single underscores; unique in its module. The registry name is `module.name`. */
  readonly name: string;
  /** What people read on a card and while the tool runs. Default: the name in words. */
  readonly title?: string | undefined;
  /** What the model reads. */
  readonly description: string;
  readonly input: InputSchema<Input>;
  readonly permission: string;
  readonly scope?: string | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** Milliseconds; default 30,000 (`toolTimeLimit`). */
  readonly timeLimit?: number | undefined;
}

export interface ReadTool<Input = never> extends Common<Input> {
  readonly kind: "read";
  run(ctx: ToolContext, input: Input): Promise<unknown> | unknown;
}

export interface WriteTool<Input = never, Data extends Json = Json> extends Common<Input> {
  readonly kind: "write";
  /** The dry run: writes nothing. */
  preview(ctx: ToolContext, input: Input): Promise<Preview<Data> | ToolRefusal> | Preview<Data> | ToolRefusal;
  run(ctx: WriteContext<Data>, input: Input): Promise<unknown> | unknown;
  /** Names the facts that count when the approved write is compared with a fresh dry run. Missing facts, or a throw, are `preview_failed`. */
  readonly fingerprint?: ((preview: Preview<Data>) => Json | undefined) | undefined;
}

// A registry holds tools of any input; their inputs were checked where they were defined.
export type AnyTool = ReadTool<never> | WriteTool<never, never>;

/** A named group of tools that can be switched off as one, and that has the box "assistant may write here". */
export interface Module {
  readonly key: string;
  readonly title: string;
  readonly tools: readonly AnyTool[];
  /** The box's default: whether the assistant may ask for this module's writes. Default false. */
  readonly sessionWrites: boolean;
}
