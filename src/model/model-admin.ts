import type { Outcome, Refusal } from "../outcome.ts";
import type { EndpointChanges, EndpointInput } from "./stored-endpoint.ts";
import type { Provider } from "./model.ts";
import type { TriedEndpoint } from "./try-endpoint.ts";

/** An endpoint as an admin sees it: where its key comes from, never the key. */
export interface EndpointView {
  readonly name: string;
  readonly provider: Provider;
  readonly baseURL: string | null;
  readonly model: string;
  /** `code` cannot be changed here. */
  readonly from: "code" | "admin";
  readonly credential: { readonly env: string } | "stored" | "none";
  /** Off, or without its key: it is not chosen. */
  readonly available: boolean;
  readonly enabled: boolean;
  readonly images: boolean;
  /** Whether the model can be given tools. */
  readonly tools: boolean;
  readonly price: { readonly input: number; readonly cachedInput?: number; readonly output: number } | null;
  readonly contextTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly temperature: number | null;
  readonly reasoning: string | null;
  /** Raised by every change; what a form was read with. 0 for one in code. */
  readonly version: number;
}

/** The key an endpoint gets: the name of an environment variable, a value to be sealed, none, or the one it has. */
export type CredentialInput = { readonly env: string } | { readonly value: string } | "none" | "keep";

/** `no_secret`: a key can only be stored under COUNTERSIGN_SECRET. `address_refused`: the base URL names a private address that `allowPrivateEndpoints` does not. `variable_refused`: the environment variable is neither the provider's own, for the provider's own address, nor one that `credentialVariables` names. `key_needed`: the provider or the address changed, and a key does not go along. */
export type SaveEndpointRefusal =
  | "invalid_endpoint"
  | "name_in_code"
  | "no_secret"
  | "address_refused"
  | "variable_refused"
  | "key_needed";

/** What was spent and is reserved in this UTC day and month, in millionths of a US dollar. */
export interface Spending {
  readonly dayMicros: number;
  readonly monthMicros: number;
}

/** A journal row, without content. */
export interface JournalEntry {
  readonly requestId: string;
  readonly userId: string;
  readonly at: Date;
  readonly source: string;
  readonly task: string;
  readonly endpoint: string;
  readonly model: string;
  readonly status: "running" | "ok" | "error" | "refused" | "lost";
  readonly code: string | null;
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costMicros: number | null;
  readonly latencyMs: number | null;
  readonly firstTokenMs: number | null;
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** Null on the last page. A page with filters may be short, even empty, and still have a next one. */
  readonly next: string | null;
}

/** Which journal rows are wanted; what is left out is not asked about. */
export interface JournalFilter {
  readonly userId?: string | undefined;
  /** `trouble`: those that failed, were refused or lost. */
  readonly status?: JournalEntry["status"] | "trouble" | undefined;
  readonly endpoint?: string | undefined;
  /** As asked or as answered. */
  readonly model?: string | undefined;
  readonly code?: string | undefined;
  /** UTC days, `2026-11-30`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What calls came to. A refused call was never made: it is counted apart. */
export interface UsageSum {
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
  readonly costMicros: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface UsageReport {
  readonly total: UsageSum;
  /** By UTC day, oldest first; a day without a call is left out. */
  readonly days: readonly (UsageSum & { readonly day: string })[];
  /** The 20 that cost most, and after cost those that called most. A user '' is one who was forgotten. */
  readonly users: readonly (UsageSum & { readonly name: string })[];
  readonly models: readonly (UsageSum & { readonly name: string })[];
  readonly endpoints: readonly (UsageSum & { readonly name: string })[];
}

/** An off-purpose report of a turn. */
export interface FlagEntry {
  readonly userId: string;
  readonly turnId: string;
  readonly at: Date;
  readonly reason: string;
  readonly clearedAt: Date | null;
}

export interface FlagsPage {
  readonly flags: readonly FlagEntry[];
  readonly next: string | null;
}

/** A user with flags that count now. */
export interface StandingFlags {
  readonly userId: string;
  readonly count: number;
  readonly lastAt: Date;
}

export interface ModelAdmin {
  endpoints(): Promise<readonly EndpointView[]>;
  /** The endpoint that answers users who have none of their own; null when there is none. */
  siteEndpoint(): Promise<{ readonly endpoint: string; readonly name: string; readonly demo: boolean } | null>;
  /** Whether keys can be stored at all: there is a secret to seal them under. */
  readonly canStoreKeys: boolean;
  /** Creates or replaces an endpoint; every node uses it within a moment. */
  saveEndpoint(input: EndpointInput, credential: CredentialInput): Promise<Outcome<object, SaveEndpointRefusal>>;
  /** Creates an endpoint; one of that name is left as it is. */
  createEndpoint(
    input: EndpointInput,
    credential: Exclude<CredentialInput, "keep">,
  ): Promise<Outcome<object, SaveEndpointRefusal | "name_taken">>;
  /**
   * Changes some of an endpoint as it was read with `version`: null takes a value away, what is left out stays, the key
   * too. Nothing is changed when somebody else did meanwhile.
   */
  changeEndpoint(change: {
    readonly name: string;
    readonly version: number;
    readonly changes: EndpointChanges;
    readonly credential?: CredentialInput | undefined;
  }): Promise<Outcome<object, SaveEndpointRefusal | "not_found" | "changed_meanwhile">>;
  /**
   * Makes one tiny call of an endpoint for whoever tries it, journalled and guarded as any other; 30 seconds at most.
   * `no_endpoint`: it is off, or its key cannot be had.
   */
  tryEndpoint(what: { readonly name: string; readonly userId: string }): Promise<TriedEndpoint | Refusal<"not_found">>;
  removeEndpoint(name: string): Promise<Outcome<object, "not_found">>;
  /** Of a user, or of the whole site. */
  spending(userId?: string): Promise<Spending>;
  /** What calls came to between two UTC days, both included; of a user, or of the whole site. */
  usage(range: {
    readonly from: string;
    readonly to: string;
    readonly userId?: string | undefined;
  }): Promise<UsageReport>;
  /** Journal rows, newest first, 100 a page unless `limit` says otherwise; `before` is an earlier page's `next`. */
  journal(
    page: JournalFilter & { readonly before?: string | undefined; readonly limit?: number | undefined },
  ): Promise<JournalPage>;
  /** Flags, newest first, 50 a page; with `standing` those alone that were not cleared. */
  flags(page: { readonly before?: string | undefined; readonly standing?: boolean }): Promise<FlagsPage>;
  /** The users whose flags of the last so many seconds count, the newest first, at most 200. */
  standingFlags(windowSeconds: number): Promise<readonly StandingFlags[]>;
  /** Ends a suspension: the user's flags no longer count. */
  clearFlags(userId: string): Promise<void>;
}
