import { v7 as newId } from "uuid";
import type { Chat, NewMessage, Stored } from "../chat/chat.ts";
import type { StoredUsage } from "../chat/stored-message.ts";
import { describeError } from "../core/describe-error.ts";
import type { Beside } from "../database/beside.ts";
import type { Logger } from "../logger.ts";
import type { TurnEnd } from "../wire/events.ts";
import type { NoticeCode } from "../wire/reasons.ts";
import type { LiveTurn } from "./live-turn.ts";

/**
 * How a turn's task came to its end. `told`: by the statement that ended the turn. All others stored no end, and leave
 * it to the monitor: `stopped` saw that it was asked to, `gone` that the chat was deleted, `lost` that the lock is
 * another's (who has ended the turn), `failed` could not go on.
 */
export type TaskEnd = "told" | "stopped" | "gone" | "lost" | "failed";

export interface TaskRooms {
  readonly chat: Chat;
  readonly node: string;
  readonly logger: Logger;
}

/** Whether the task may go on: looked at before it stores the user's message, before each round, as soon as the model has answered and before each tool call. */
export function look(live: LiveTurn): TaskEnd | null {
  if (live.lost()) return "lost";
  // The monitor's timer may be a moment late.
  if (live.overdue()) live.ask("deadline");
  return live.asked() === null ? null : "stopped";
}

/** The same, and that the lock is held: a fenced statement that just succeeded counts. */
export async function lookAtLock(rooms: TaskRooms, live: LiveTurn): Promise<TaskEnd | null> {
  if (live.surelyHeld()) return look(live);
  return (
    (await fenced(rooms, live, async () => ({ ...(await rooms.chat.keep(live.fence)), gone: false }))) ?? look(live)
  );
}

/** One fenced statement; null: it was done. */
export async function fenced(
  rooms: TaskRooms,
  live: LiveTurn,
  statement: () => Promise<Omit<Stored, "lastSeq">>,
): Promise<TaskEnd | null> {
  const sentAt = live.clock();
  const stored = await orRefused(rooms, live, statement);
  if (stored === null) return "failed";
  if (!stored.held) {
    live.lose();
    return "lost";
  }
  live.kept(sentAt);
  if (stored.stopRequested) live.ask("stopped");
  return stored.gone ? "gone" : null;
}

export async function store(
  rooms: TaskRooms,
  live: LiveTurn,
  messages: readonly NewMessage[],
): Promise<TaskEnd | null> {
  const end = await fenced(rooms, live, () => along(live, (beside) => rooms.chat.store(live.fence, messages, beside)));
  if (end === null) live.chatSeen = true;
  return end;
}

/** The turn's last messages, its end and the release of its lock. */
export async function finish(
  rooms: TaskRooms,
  live: LiveTurn,
  end: { readonly how: TurnEnd; readonly messages: readonly NewMessage[] },
): Promise<TaskEnd> {
  // An answer is shown and stored; a notice in its place takes back what was shown.
  if (!end.messages.some(({ role }) => role === "assistant")) live.telling.retract();
  const whole = { ...end, rounds: live.rounds };
  const done = await orRefused(rooms, live, () =>
    along(live, (beside) => rooms.chat.finish(live.fence, whole, beside)),
  );
  if (done === null) return "failed";
  if (!done.ended) return "lost";
  live.telling.stored();
  return "told";
}

/** Takes what is due along with what is stored; when the whole is refused, it is written alone. */
async function along<Answer>(live: LiveTurn, send: (beside: readonly Beside[]) => Promise<Answer>): Promise<Answer> {
  const due = live.takeBeside();
  try {
    return await send(due);
  } catch (error) {
    await writeAlone(due);
    throw error;
  }
}

/** Writes rows that nothing takes along; one that cannot be written has nobody left to hear of it but the log of its room. */
export async function writeAlone(rows: readonly Beside[]): Promise<void> {
  await Promise.allSettled(rows.map((row) => row.alone()));
}

export function toNotice(code: NoticeCode, usage: StoredUsage | null): NewMessage {
  return { role: "notice", id: newId(), code, usage };
}

/** Null for what the database refused: the log gets names and codes, never the values. */
async function orRefused<Answer>(
  { logger, node }: TaskRooms,
  live: LiveTurn,
  statement: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await statement();
  } catch (error) {
    const { turnId } = live;
    logger.error(
      { node, turnId, code: "store_failed", error: describeError(error), ...fieldsOf(error) },
      "a turn could not store",
    );
    return null;
  }
}

const names = ["table", "column", "constraint"] as const;

function fieldsOf(error: unknown): Partial<Record<(typeof names)[number], string>> {
  if (typeof error !== "object" || error === null) return {};
  const fields = error as Partial<Record<string, unknown>>;
  return Object.fromEntries(
    names.filter((name) => typeof fields[name] === "string").map((name) => [name, fields[name]]),
  );
}
