import type { CardRow } from "../chat/chat.ts";
import type { Core, DetailAnswer } from "../core/core.ts";
import type { Card, CardsAnswer } from "../wire/cards.ts";
import { toCard } from "./card-view.ts";
import { isSameWrite, standsForItsWrite } from "./repeat.ts";

interface Reading {
  readonly core: Core;
  readonly now: number;
  /** Characters of arguments and preview; null for whole cards. */
  readonly characters: number | null;
}

/** What core answers for the cards that have no notice: one query for all of them. */
export async function readAnswers(
  core: Core,
  sessionRef: string,
  rows: readonly CardRow[],
): Promise<ReadonlyMap<string, DetailAnswer>> {
  const open = rows.filter((row) => row.outcome === null).map((row) => row.confirmationId);
  if (open.length === 0) return new Map();
  const read = await core.getForUser(sessionRef, open);
  return read.ok ? read.rows : new Map();
}

/** Turns the asked-for rows into what the panel shows; the chat's other waiting cards are looked at for `repeatable`. */
export function toCards(
  reading: Reading,
  read: {
    readonly asked: readonly CardRow[];
    readonly all: readonly CardRow[];
    readonly answers: ReadonlyMap<string, DetailAnswer>;
  },
): CardsAnswer {
  const { core, now, characters } = reading;
  const cards: Record<string, Card> = {};
  for (const row of read.asked) {
    cards[row.messageId] = toCard({
      row,
      answer: read.answers.get(row.confirmationId),
      title: core.titleOf(row.tool) ?? row.tool,
      arguments: row.call === null ? null : core.printArguments(row.call.arguments),
      askedAlready: read.all.some(
        (other) =>
          other.messageId !== row.messageId &&
          holds(read.answers.get(other.confirmationId)) &&
          isSameWrite(core, other, row),
      ),
      now,
      characters,
    });
  }
  return { now: new Date(now).toISOString(), cards };
}

/** Whether a card that has no notice still stands for its write: its row holds, is being run, or was run. */
function holds(answer: DetailAnswer | undefined): boolean {
  if (answer === undefined || (!answer.ok && answer.reason === "invalid")) return false;
  const state = answer.ok ? answer.row : answer.state;
  return !state.ranOut && standsForItsWrite(state);
}
