/** What crosses between the server and the admin pages. Times are ISO strings, amounts millionths of a US dollar. */

/** Why something on the admin pages was not done, beside the reasons of every request. */
export type AdminRefusal =
  | "manage_not_allowed"
  | "changed_meanwhile"
  | "invalid_endpoint"
  | "name_in_code"
  | "name_taken"
  | "no_secret"
  | "address_refused"
  | "variable_refused"
  | "key_needed"
  | "unknown_endpoint"
  | "unknown_module";

/** `GET /admin/overview` */
export interface AdminOverview {
  readonly now: string;
  readonly assistantOn: boolean;
  readonly aiOn: boolean;
  readonly spending: AdminSpending;
  readonly budgetDay: number | null;
  readonly budgetMonth: number | null;
  readonly runningTurns: number;
  /** Users whose turns are suspended now. */
  readonly suspendedUsers: number;
  /** Endpoints that can answer now. */
  readonly availableEndpoints: number;
  /** The name of the endpoint that answers where nothing else is set; null when there is none. */
  readonly model: { readonly endpoint: string; readonly name: string; readonly demo: boolean } | null;
}

export interface AdminSpending {
  readonly dayMicros: number;
  readonly monthMicros: number;
}

export interface AdminEndpoint {
  readonly name: string;
  readonly provider: string;
  readonly baseURL: string | null;
  readonly model: string;
  readonly from: "code" | "admin";
  /** Where its key comes from; the key itself never crosses. */
  readonly credential: { readonly env: string } | "stored" | "none";
  readonly available: boolean;
  readonly enabled: boolean;
  readonly images: boolean;
  readonly tools: boolean;
  readonly price: AdminPrice | null;
  readonly contextTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly temperature: number | null;
  readonly reasoning: string | null;
  readonly version: number;
}

/** US dollars per million tokens. */
export interface AdminPrice {
  readonly input: number;
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** `POST /admin/endpoints/:name/try`: what one tiny call came to. */
export type AdminTriedEndpoint =
  | { readonly ok: true; readonly model: string; readonly latencyMs: number }
  /** A code of a failed call, or the guard's. */
  | { readonly ok: false; readonly code: string };

/** `GET /admin/endpoints` */
export interface AdminEndpoints {
  readonly endpoints: readonly AdminEndpoint[];
  /** Whether keys can be stored here: `COUNTERSIGN_SECRET` is set. */
  readonly canStoreKeys: boolean;
  /** The one that answers where nothing else is set. */
  readonly siteEndpoint: string | null;
  readonly offered: readonly string[];
  /** Users with an endpoint of their own, set for them or chosen by them. */
  readonly users: readonly {
    readonly userId: string;
    readonly endpoint: string;
    readonly how: "set" | "pictures" | "chosen";
  }[];
}

/** The key of an endpoint, as it is given: the name of an environment variable, a value to be sealed, none, or the one it has. */
export type AdminCredential = { readonly env: string } | { readonly value: string } | "none" | "keep";

/** `GET /admin/modules`, `PATCH /admin/modules/:key` */
export interface AdminModules {
  readonly modules: readonly AdminModule[];
}

export interface AdminModule {
  readonly key: string;
  readonly title: string;
  readonly on: boolean;
  /** The box "assistant may write here". */
  readonly writes: boolean;
  readonly defaults: { readonly on: boolean; readonly writes: boolean };
  readonly versions: { readonly on: number; readonly writes: number };
  readonly tools: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly kind: "read" | "write";
    readonly permission: string;
    readonly scope: string | null;
  }[];
}

/** `GET /admin/limits?userId=`, `PATCH /admin/limits`: the form of the site, or of one user. */
export interface AdminLimits {
  readonly userId: string | null;
  readonly fields: readonly AdminLimit[];
  /** What the user, or the site, has spent in this UTC day and month. */
  readonly spending: AdminSpending;
}

export type AdminValue = string | number | boolean | null;

export interface AdminLimit {
  readonly key: string;
  readonly type: "number" | "text" | "switch";
  /** A number that may be none. */
  readonly optional: boolean;
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  /** In English, for developers; pages have their own words. */
  readonly describe: string;
  /** What is set here and not inherited; null where nothing is. */
  readonly own: AdminValue;
  /** Whether anything is set here. */
  readonly isSet: boolean;
  readonly effective: AdminValue;
  /** What holds once nothing is set here. */
  readonly inherited: AdminValue;
  readonly version: number;
}

/** Beside `changed_meanwhile`, in `newer`. */
export interface ChangedMeanwhile<Form> {
  readonly keys: readonly string[];
  readonly form: Form;
}

export interface AdminUsageSum {
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
  readonly costMicros: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** `GET /admin/usage?from=&to=&userId=`: UTC days, both included, at most 366. */
export interface AdminUsage {
  readonly from: string;
  readonly to: string;
  readonly total: AdminUsageSum;
  /** Every day of the span, oldest first. */
  readonly days: readonly (AdminUsageSum & { readonly day: string })[];
  readonly users: readonly (AdminUsageSum & { readonly name: string })[];
  readonly models: readonly (AdminUsageSum & { readonly name: string })[];
  readonly endpoints: readonly (AdminUsageSum & { readonly name: string })[];
}

export interface AdminJournalEntry {
  readonly requestId: string;
  readonly userId: string;
  readonly at: string;
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

/** `GET /admin/journal`; `GET /admin/journal.csv` is the same as a file, whole. */
export interface AdminJournal {
  readonly entries: readonly AdminJournalEntry[];
  /** Pass as `before` for the next page; null at the end. */
  readonly next: string | null;
}

export interface AdminToolCall {
  readonly id: string;
  readonly userId: string;
  readonly at: string;
  readonly sessionHash: string;
  readonly tool: string;
  readonly title: string | null;
  readonly kind: "read" | "write" | "unknown";
  readonly step: "read" | "hold" | "redeem" | "reject";
  readonly via: string;
  readonly requestId: string;
  readonly code: string | null;
  readonly confirmationId: string | null;
  readonly durationMs: number | null;
}

/** `GET /admin/tool-calls` */
export interface AdminToolCalls {
  readonly calls: readonly AdminToolCall[];
  readonly next: string | null;
}

/** `GET /admin/flags?standing=` */
export interface AdminFlags {
  readonly flags: readonly {
    readonly userId: string;
    readonly turnId: string;
    readonly at: string;
    readonly reason: string;
    readonly clearedAt: string | null;
  }[];
  readonly next: string | null;
  /** Users whose flags count now, with the number that suspends them; a limit of 0 suspends nobody. */
  readonly standing: readonly {
    readonly userId: string;
    readonly count: number;
    readonly limit: number;
    readonly suspended: boolean;
    readonly lastAt: string;
  }[];
  readonly windowSeconds: number;
}

/** `GET /admin/turns` */
export interface AdminTurns {
  readonly now: string;
  readonly turns: readonly {
    readonly userId: string;
    readonly turnId: string;
    readonly conversationId: string;
    readonly node: string;
    readonly startedAt: string;
    readonly deadlineAt: string;
    readonly stopRequested: boolean;
    readonly keptAt: string | null;
  }[];
  readonly more: boolean;
}
