// The one loop of a turn: stores the question, settles lapsed cards, reads the history, then round after round until the
// turn's last statement. It decides when a turn is over, not who may act (chat, core), what is said (the model) or what
// becomes of a turn that does not come this far (the monitor).
import { v7 as newId } from "uuid";
import type { StoredMessage } from "../chat/stored-message.ts";
import { invariant } from "../outcome.ts";
import type { LiveTurn } from "./live-turn.ts";
import { runRound, type RoundRooms, type Talk } from "./run-round.ts";
import { toSystemPrompt } from "./system-prompt.ts";
import { fenced, look, type TaskEnd } from "./turn-task.ts";

export async function runTurn(rooms: RoundRooms, live: LiveTurn): Promise<TaskEnd> {
  let questionSeq: number | null = null;
  const halt =
    look(live) ??
    (await fenced(rooms, live, async () => {
      const stored = await rooms.chat.storeQuestion(live.fence, { id: newId(), text: live.text });
      questionSeq = stored.lastSeq;
      return stored;
    }));
  if (halt !== null) return halt;
  live.questionStored = true;

  const { userId, conversationId } = live.fence;
  await rooms.confirmations.settleLapsedInTurn(userId, { conversationId });
  const talk: Talk = {
    system: toSystemPrompt(toFacts(rooms, live), rooms.prompt),
    history: await readHistory(rooms, live, questionSeq),
    rounds: [],
    wasCut: false,
    flagged: false,
  };
  for (live.rounds = 1; ; live.rounds++) {
    const end = look(live) ?? (await runRound(rooms, live, talk));
    if (end !== null) return end;
    invariant(live.rounds < live.values.maxToolRounds, "the last round ends its turn");
  }
}

/** Earlier turns. A window that begins within a turn longer than itself is read wider, once, so that its question is in it. */
async function readHistory(
  rooms: RoundRooms,
  live: LiveTurn,
  questionSeq: number | null,
): Promise<readonly StoredMessage[]> {
  const { userId, conversationId } = live.fence;
  const beforeSeq = questionSeq ?? 2 ** 31 - 1;
  const characters = live.values.historyChars;
  const rows = await rooms.chat.history(userId, { conversationId, characters, beforeSeq });
  if (rows.length === 0 || rows.some((row) => row.role === "user")) return rows;
  return rooms.chat.history(userId, { conversationId, characters: characters * 10, beforeSeq });
}

function toFacts({ hostName }: RoundRooms, live: LiveTurn): Parameters<typeof toSystemPrompt>[0] {
  const { session, values, startedAt } = live;
  return {
    hostName,
    userInstructions: values.instructions,
    instructionsChars: values.instructionsChars,
    locale: session.locale ?? "en",
    timeZone: session.timeZone ?? "UTC",
    startedAt,
  };
}
