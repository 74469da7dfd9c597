import type { ModuleSwitches } from "../settings/settings.ts";

/** A module as an administrator sees it. */
export interface ModuleView {
  readonly key: string;
  readonly title: string;
  /** What is in effect where no administrator set anything. */
  readonly defaults: ModuleSwitches;
  readonly tools: readonly ToolView[];
}

export interface ToolView {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "read" | "write";
  readonly permission: string;
  readonly scope: string | null;
}

/** One execution: what the audit keeps of it, which is never arguments, previews or results. */
export interface ToolCallEntry {
  readonly id: string;
  readonly userId: string;
  readonly at: Date;
  /** Of the session that asked, as a hash. */
  readonly sessionHash: string;
  readonly tool: string;
  readonly kind: "read" | "write" | "unknown";
  readonly step: "read" | "hold" | "redeem" | "reject";
  readonly via: string;
  readonly requestId: string;
  /** Why it was not done, or how it failed; null when it went well, or is still under way. */
  readonly code: string | null;
  readonly confirmationId: string | null;
  readonly durationMs: number | null;
}

/** Which calls are wanted; what is left out is not asked about. */
export interface ToolCallFilter {
  readonly userId?: string | undefined;
  readonly tool?: string | undefined;
  readonly step?: ToolCallEntry["step"] | undefined;
  /** `refused`: those with a code; `done`: those without. */
  readonly outcome?: "done" | "refused" | undefined;
  /** UTC days, `2026-11-30`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What administrators see of core. Asks for no right: its caller does. */
export interface CoreAdmin {
  /** Every module, in the order of the host's declaration. */
  modules(): readonly ModuleView[];
  /** Executions, newest first, 50 a page; `before` is an earlier page's `next`. A page with filters may be short, even empty, and still have a next one. */
  toolCalls(
    page: ToolCallFilter & { readonly before?: string | undefined },
  ): Promise<{ readonly calls: readonly ToolCallEntry[]; readonly next: string | null }>;
}
