import type { Outcome } from "../outcome.ts";
import type { EndpointInput } from "./stored-endpoint.ts";
import type { Provider } from "./model.ts";

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
  readonly price: { readonly input: number; readonly cachedInput?: number; readonly output: number } | null;
  readonly contextTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly temperature: number | null;
  readonly reasoning: string | null;
}

/** The key an endpoint gets: the name of an environment variable, a value to be sealed, none, or the one it has. */
export type CredentialInput = { readonly env: string } | { readonly value: string } | "none" | "keep";

/** `no_secret`: a key can only be stored under COUNTERSIGN_SECRET. `address_refused`: the base URL names a private address that `allowPrivateEndpoints` does not. */
export type SaveEndpointRefusal = "invalid_endpoint" | "name_in_code" | "no_secret" | "address_refused";

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
  /** Null on the last page. */
  readonly next: string | null;
}

export interface ModelAdmin {
  endpoints(): Promise<readonly EndpointView[]>;
  /** Creates or replaces an endpoint; every node uses it within a moment. */
  saveEndpoint(input: EndpointInput, credential: CredentialInput): Promise<Outcome<object, SaveEndpointRefusal>>;
  removeEndpoint(name: string): Promise<Outcome<object, "not_found">>;
  /** Of a user, or of the whole site. */
  spending(userId?: string): Promise<Spending>;
  /** Journal rows, newest first, 100 a page; `before` is an earlier page's `next`. */
  journal(page: { readonly before?: string; readonly userId?: string }): Promise<JournalPage>;
  /** Ends a suspension: the user's flags no longer count. */
  clearFlags(userId: string): Promise<void>;
}
