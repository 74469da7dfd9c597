import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import {
  ageLock,
  answer,
  createTestHost,
  createTestNode,
  newChat,
  startTurn,
  until,
  type TestNode,
} from "./test-node.ts";
import { ofType, watch } from "./test-watch.ts";

const host = createTestHost();
let db: TestDatabase;
let here: TestNode;
let there: TestNode;
beforeAll(async () => {
  db = await createTestDatabase();
  const options = { connectionString: db.connectionString, host, values: { watchRecheck: 100 } };
  here = await createTestNode(options);
  there = await createTestNode(options);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await db.drop();
});

describe("a running turn", () => {
  const saying = (turnId: string, place: { conversationId: string }) => ({
    state: {
      type: "turn",
      turn: { turnId, conversationId: place.conversationId, activity: "thinking", toolTitle: null, text: "" },
    } as const,
    delta: (at: number, text: string) => ({ type: "delta", turnId, at, text }) as const,
  });

  test("is in a newcomer's hello with its text so far, and goes on from there", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const { state, delta } = saying(turn.turnId, place);
    here.chat.publish(place, state);
    here.chat.publish(place, delta(0, "Hel"));
    const watched = await watch(here, place);
    here.chat.publish(place, delta(3, "lo"));
    expect(here.chat.running(place.userId, place.conversationId)).toMatchObject({
      text: "Hello",
      activity: "answering",
    });
    await until(() => ofType(watched, "delta").length > 0);
    expect(ofType(watched, "hello")).toMatchObject([{ turn: { turnId: turn.turnId, text: "Hel" } }]);
    expect(ofType(watched, "delta")).toEqual([delta(3, "lo")]);
    await here.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer("Hello")] });
    await until(() => ofType(watched, "turn_ended").length > 0);
    expect(watched.events.slice(-2).map(({ type }) => type)).toEqual(["message", "turn_ended"]);
    expect(here.chat.running(place.userId, place.conversationId)).toBeNull();
    here.chat.publish(place, delta(5, " late"));
    here.chat.publish(place, state);
    expect(here.chat.running(place.userId, place.conversationId)).toBeNull();
    expect(watched.events.at(-1)).toMatchObject({ type: "turn_ended" });
  });

  test("of another node is seen with all its text, however long", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const { state, delta } = saying(turn.turnId, place);
    const text = '0123456789\n"\u0007é😀'.repeat(2_000);
    here.chat.publish(place, state);
    here.chat.publish(place, delta(0, text));
    const watched = await watch(there, place);
    const seen = (): string =>
      watched.events.reduce((before, event) => {
        if (event.type === "turn") return event.turn.text;
        return event.type === "delta" && event.at <= before.length ? before.slice(0, event.at) + event.text : before;
      }, "");
    await until(() => seen() === text);
    here.chat.publish(place, delta(text.length, " and"));
    here.chat.publish(place, delta(text.length + 4, " more"));
    await until(() => seen() === `${text} and more`);
    const second = await watch(there, place);
    expect(ofType(second, "hello")[0]?.turn?.text).toBe(`${text} and more`);
    expect(there.chat.running(place.userId, place.conversationId)).toBeNull();
    await here.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer("All")] });
    await until(() => ofType(watched, "turn_ended").length > 0);
    await until(() => watched.seqs.length > 0);
  });

  test("whose lock lapsed is in no hello", async () => {
    const place = await newChat(here, host);
    await startTurn(here, place);
    await ageLock(db.database, place.userId);
    const watched = await watch(there, place);
    expect(ofType(watched, "hello")).toMatchObject([{ turn: null }]);
  });

  test("that is taken over ends for those who watch it, and for its own node", async () => {
    const place = await newChat(here, host);
    const dead = await startTurn(here, place);
    here.chat.publish(place, saying(dead.turnId, place).state);
    const watched = await watch(here, place);
    await ageLock(db.database, place.userId);
    await startTurn(there, place, { asked: false });
    await until(() => ofType(watched, "turn_ended").length > 0);
    await until(() => watched.seqs.length > 0);
    expect(ofType(watched, "turn_ended")).toEqual([
      { type: "turn_ended", turnId: dead.turnId, how: "interrupted", asked: true },
    ]);
    expect(ofType(watched, "message")).toMatchObject([{ message: { code: "interrupted", turnId: dead.turnId } }]);
    expect(here.chat.running(place.userId, place.conversationId)).toBeNull();
  });

  test("that is taken back is told as ended without its question", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place, { asked: false });
    const watched = await watch(here, place);
    await here.chat.discardTurn(turn);
    await until(() => ofType(watched, "turn_ended").length > 0);
    expect(ofType(watched, "turn_ended")).toMatchObject([{ turnId: turn.turnId, asked: false }]);
  });
});
