/** A turn under way, as an administrator sees it: never what is said in it. */
export interface RunningTurnEntry {
  readonly userId: string;
  readonly turnId: string;
  readonly conversationId: string;
  /** The node that took it. */
  readonly node: string;
  readonly startedAt: Date;
  readonly deadlineAt: Date;
  readonly stopRequested: boolean;
  /** When its node last kept its lock; null when it has none any more and waits to be swept. */
  readonly keptAt: Date | null;
}

/** What administrators see of chats. Asks for no right: its caller does. */
export interface ChatAdmin {
  /** The turns that run now on any node, the oldest first, at most 200; `now` is the database's clock. */
  runningTurns(): Promise<{ readonly now: Date; readonly turns: readonly RunningTurnEntry[]; readonly more: boolean }>;
}
