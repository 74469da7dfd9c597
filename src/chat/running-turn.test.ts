import { describe, expect, test } from "vitest";
import type { RunningTurn, ServerEvent } from "../wire/events.ts";
import { applyToTurn } from "./running-turn.ts";
import { splitDelta, splitTurn, splitWatched } from "./split-event.ts";
import { createTurnRegistry } from "./turn-registry.ts";

const turnId = "t1";
const turn: RunningTurn = { turnId, conversationId: "c", activity: "thinking", toolTitle: null, text: "" };
const delta = (at: number, text: string, id = turnId): ServerEvent => ({ type: "delta", turnId: id, at, text });
const answered = (id: string | null): ServerEvent => ({
  type: "message",
  message: {
    ...{ id: "m", seq: 1, conversationId: "c", turnId: id, createdAt: "", role: "assistant", text: "Hello" },
    ...{ calls: [], usage: null },
  },
});

function after(events: readonly ServerEvent[], before: RunningTurn | null = turn): RunningTurn | null {
  return events.reduce(applyToTurn, before);
}

describe("a running turn, as a newcomer sees it", () => {
  test("has the text streamed so far", () => {
    expect(after([delta(0, "Hel"), delta(3, "lo")])).toEqual({ ...turn, activity: "answering", text: "Hello" });
  });

  test("takes a piece again, and none that leaves a gap or is another turn's", () => {
    const told = [delta(0, "Hello"), delta(3, "p!"), delta(9, "gap"), delta(0, "other", "t2")];
    expect(after(told)?.text).toBe("Help!");
  });

  test("keeps its text through an activity that does not repeat it", () => {
    const told = after([delta(0, "Hello"), { type: "turn", turn: { ...turn, activity: "tool", toolTitle: "T" } }]);
    expect(told).toEqual({ ...turn, activity: "tool", toolTitle: "T", text: "Hello" });
  });

  test("has no text once it is stored, taken back, or the turn was asked to stop", () => {
    const stopping = { ...turn, activity: "stopping" } as const;
    const retract = { type: "retract", turnId } as const;
    for (const event of [answered(turnId), retract, { type: "turn", turn: stopping } as const]) {
      expect(after([delta(0, "Hello"), event])?.text).toBe("");
    }
    expect(after([delta(0, "Hello"), answered("t2"), answered(null)])?.text).toBe("Hello");
  });

  test("is none after its end, and stays after another's", () => {
    const end = (id: string): ServerEvent => ({ type: "turn_ended", turnId: id, how: "answer", asked: true });
    expect(after([end("t2")])).toEqual(turn);
    expect(after([end(turnId)])).toBeNull();
    expect(after([delta(0, "x"), { type: "retract", turnId }, answered(turnId)], null)).toBeNull();
  });
});

describe("the turns a node knows", () => {
  const place = { userId: "u", conversationId: "c" };
  const ended: ServerEvent = { type: "turn_ended", turnId, how: "answer", asked: true };

  test("an end is told once, and nothing of that turn after it", () => {
    const turns = createTurnRegistry();
    expect(turns.take(place, { type: "turn", turn }, "here")).toBe(true);
    expect(turns.take(place, ended, "elsewhere")).toBe(true);
    for (const late of [ended, delta(0, "x"), { type: "turn", turn } as const]) {
      expect(turns.take(place, late, "here")).toBe(false);
    }
    expect(turns.get(place)).toBeNull();
  });

  test("what other nodes told of a chat is forgotten with its last watcher, a turn of this node is not", () => {
    const turns = createTurnRegistry();
    turns.take(place, { type: "turn", turn }, "elsewhere");
    turns.take({ ...place, userId: "v" }, { type: "turn", turn }, "here");
    for (const userId of ["u", "v"]) turns.forgetElsewhere({ ...place, userId });
    expect(turns.get(place)).toBeNull();
    expect(turns.get({ ...place, userId: "v" })).toMatchObject({ turn, here: true });
  });
});

describe("what goes to other nodes", () => {
  test("is in pieces that fit a notification each, and make the whole again", () => {
    const text = '\u0001é😀"'.repeat(3_000);
    const pieces = splitTurn({ ...turn, text });
    for (const piece of pieces) expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(7_000);
    expect(after(pieces)?.text).toBe(text);
    expect(splitTurn(turn)).toEqual([{ type: "turn", turn }]);
    expect(splitDelta({ type: "delta", turnId, at: 5, text: "x" })).toEqual([delta(5, "x")]);
  });

  test("says which chats are watched in lists that fit a notification each, however long the ids of users are", () => {
    for (const length of [1, 40, 160, 400, 2_500]) {
      const chats = Array.from({ length: 100 }, (_, n) => ["u".repeat(length), `chat ${n}`] as const);
      const lists = splitWatched(chats);
      for (const list of lists) expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThan(7_500);
      expect(lists.flat()).toEqual(chats);
    }
    expect(splitWatched([])).toEqual([]);
  });
});
