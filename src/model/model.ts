import type { Beside } from "../database/beside.ts";
import type { Statement } from "../database/sql.ts";
import type { Outcome } from "../outcome.ts";
import type { ModelAdmin } from "./model-admin.ts";
import type { GuardRefusal, ModelErrorCode } from "../wire/reasons.ts";

/**
 * Reaching a model for somebody, writing down what it cost, and saying no when it must. Knows no chats and no tools'
 * rights: names and schemas of tools are handed to it.
 */

/** What the model is sent, in our words; one system message, first. */
export interface Prompt {
  readonly system: string;
  readonly messages: readonly PromptMessage[];
}

export type PromptMessage =
  | { readonly role: "user"; readonly text: string; readonly pictures?: readonly Picture[] }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly PromptCall[] }
  /** All results of one answer in one message, in the order of its calls. */
  | { readonly role: "results"; readonly results: readonly PromptResult[] };

export interface Picture {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface PromptCall {
  /** A short id of ours: 9 letters or digits, unique in the prompt, which every provider takes. */
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the provider wants back beside a call of this turn (signatures); opaque. */
  readonly providerMetadata?: unknown;
}

export interface PromptResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

export interface OfferedTool {
  /** A name providers take. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A permission to spend, given at a turn's start and checked again by every call that names it. */
export interface Admission {
  readonly id: string;
  readonly userId: string;
  readonly task: string;
}

/** What is asked of the database before a user may begin a turn, and what its answer means. */
export interface Consideration {
  /** Null when nothing has to be asked. */
  readonly statement: Statement | null;
  /** With null, what has to be asked is asked now. */
  judge(rows: readonly object[] | null): Promise<Outcome<{ readonly admission: Admission }, GuardRefusal>>;
}

/** A call of a model that was made ready. Its journal row comes first: together with what else is stored then, or alone. */
export interface PreparedCall {
  readonly begin: Beside;
  /** Makes the call, once; writes its row first where that was not done. */
  run(): Promise<CompleteAnswer>;
  /** Instead of `run`: ends the row, if it was written, as one of a call that was never made. */
  drop(): Promise<void>;
}

export interface CompleteRequest {
  readonly userId: string;
  readonly admission: Admission;
  /** `agent` for the assistant. */
  readonly source: string;
  /** `agent.chat` for a turn of a chat. */
  readonly task: string;
  readonly prompt: Prompt;
  readonly tools: readonly OfferedTool[];
  /** The id the answer will be stored under, and the turn's: kept in the journal and told to usage sinks. */
  readonly attribution: { readonly messageId: string; readonly turnId: string };
  /** False for a turn with pictures: such content is never captured, whatever the setting. */
  readonly mayCapture: boolean;
  /** Text to show, as it comes; reasoning is never in it. */
  onText(delta: string): void;
  /** Fires past the grace of a stop: the call is abandoned. */
  readonly signal: AbortSignal;
  /** True once a stop or deadline was asked for: no new attempt is made. */
  stopRequested(): boolean;
  /** Given, the answer is not kept waiting for the end of its journal row, which is handed over: it has to be written, and its lease is kept until it is. */
  readonly onEnding?: ((ending: Beside) => void) | undefined;
  /** Milliseconds since the epoch by this process's clock: no new attempt is begun after it. One under way is let finish; `signal` ends it. */
  readonly deadline: number;
}

/** A call the model asked for, with an id of ours. Nameless calls were dropped; their number is in the answer. */
export interface ModelCall {
  /** Ours: 9 letters or digits, unique in the answer. */
  readonly id: string;
  /** The provider's own, null when missing or empty. */
  readonly providerId: string | null;
  /** As the provider sent it, trimmed; maybe a name that was never offered. */
  readonly name: string;
  /** JSON text of an object where it could be read as one (`{}` for absent, null or empty; decoded once more when encoded twice); else the text as it came. */
  readonly argumentsText: string;
  readonly providerMetadata?: unknown;
}

export interface Usage {
  readonly model: string;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  /** Millionths of a US dollar; null when neither the provider nor a price says it. */
  readonly costMicros: number | null;
  readonly latencyMs: number;
}

export type CompleteAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      /** `cut`: the answer reached its length limit, none of its calls may run. `continue`: the provider paused; call again. `empty`: neither text nor a named call. */
      readonly end: "text" | "calls" | "cut" | "empty" | "continue";
      readonly droppedCalls: number;
      readonly usage: Usage;
      /** The journal row's id. */
      readonly requestId: string;
    }
  | {
      readonly ok: false;
      readonly reason: ModelErrorCode | GuardRefusal | "aborted";
      /** The HTTP status, where there was one. */
      readonly status: number | null;
      /** The journal row's id; null when the guard refused. */
      readonly requestId: string | null;
      readonly usage: Usage | null;
      /** Whether any text was handed to `onText`. */
      readonly shown: boolean;
      /** Seconds, when the provider said when to come again; null otherwise. */
      readonly retryAfter: number | null;
    };

/** A finished journal row, as usage sinks get it: synchronously, before `complete` returns. */
export interface UsageRow extends Usage {
  readonly requestId: string;
  readonly userId: string;
  readonly source: string;
  readonly task: string;
  readonly attribution: { readonly messageId: string; readonly turnId: string };
  readonly endpoint: string;
  readonly status: "ok" | "error";
  readonly code: ModelErrorCode | "aborted" | null;
}

export type UsageSink = (row: UsageRow) => void;

/** What the panel may know of the model that will answer a user. */
export interface ModelDescription {
  readonly endpoint: string;
  readonly name: string;
  readonly demo: boolean;
  readonly images: boolean;
}

export interface Models {
  /** Whether a user may spend now. An admission holds for one turn. */
  admit(userId: string, task: string): Promise<Outcome<{ readonly admission: Admission }, GuardRefusal>>;
  /** The same in two steps: a statement to be run together with what else a start asks, or null, and what its rows mean. A refusal that is not asked for is told to nobody. */
  consider(userId: string, task: string): Promise<Consideration>;
  /** One call of a model: journalled before it goes out, retried only before anything was shown. Never throws for what a provider does. */
  complete(request: CompleteRequest): Promise<CompleteAnswer>;
  /** The same in two steps. */
  prepare(request: CompleteRequest): Promise<PreparedCall>;
  /** Flags an off-purpose request, once a turn. */
  reportOffPurpose(report: {
    readonly userId: string;
    readonly turnId: string;
    readonly reason: string;
  }): Promise<void>;
  /** The model that would answer this user now; null when there is none. */
  describe(userId: string): Promise<ModelDescription | null>;
  /** Adds a sink; answers a function that takes it away. A sink that throws is logged and harms no call. */
  onUsage(sink: UsageSink): () => void;
  /** Ends journal rows whose lease lapsed (`lost`), counting what they reserved as spent, and deletes what retention allows. Run by the sweeper. */
  sweep(): Promise<void>;
  /** What admins see and set: endpoints, spending, the journal, flags. Asks for no right: its caller does. */
  readonly admin: ModelAdmin;
  /** Takes a user out of the journal, whose costs stay, and deletes their counters and flags. */
  forgetUser(userId: string): Promise<void>;
  close(): Promise<void>;
}

export type Provider = "openai" | "anthropic" | "google" | "openai-compatible" | "demo";

/** A named way to reach one model, declared in code. */
export interface Endpoint {
  readonly name: string;
  readonly provider: Provider;
  /** Needed for `openai-compatible`; the provider's own otherwise. */
  readonly baseURL?: string | undefined;
  readonly model: string;
  /** The key itself, or the name of the environment variable that holds it. Never logged, journalled or sent to a browser. */
  readonly credential?: { readonly env: string } | { readonly value: string } | undefined;
  readonly images?: boolean | undefined;
  readonly tools?: boolean | undefined;
  /** What the model takes at most, prompt and answer together; bounds what a call reserves. */
  readonly contextTokens?: number | undefined;
  /** US dollars per million tokens. */
  readonly price?: { readonly input: number; readonly cachedInput?: number; readonly output: number } | undefined;
  readonly temperature?: number | undefined;
  /** Default 4,096; also what a reservation is bounded by. */
  readonly maxOutputTokens?: number | undefined;
  readonly reasoning?: "none" | "low" | "medium" | "high" | undefined;
  /** A model object that speaks the provider interface of the AI SDK (version 4): for tests and for hosts' own. Takes the place of everything above but name and price. */
  readonly languageModel?: unknown;
}
