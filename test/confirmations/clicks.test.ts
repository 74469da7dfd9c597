import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import type { SettingValues } from "../../src/settings/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createDesk, type Desk, type SignIn } from "../desk.ts";
import { askForWrite, type AskedCard, type Node, openConversation, startNode, target } from "../node.ts";

let at: TestDatabase;
let desk: Desk;
let one: Node;
let other: Node;
const started: Node[] = [];

beforeAll(async () => {
  at = await createTestDatabase();
  desk = createDesk();
  one = await startNode({ connectionString: at.connectionString, desk });
  other = await startNode({ connectionString: at.connectionString, desk });
});

afterEach(async () => {
  desk.gate = null;
  for (const node of started.splice(0)) await node.close();
});

afterAll(async () => {
  await one.close();
  await other.close();
  await at.drop();
});

interface Scene {
  readonly signIn: SignIn;
  readonly card: AskedCard;
}

async function ask(name = "Bo", node = one): Promise<Scene> {
  const signIn = desk.signIn(uuid());
  const conversationId = await openConversation(node, signIn.ref);
  const args = JSON.stringify({ name });
  return { signIn, card: await askForWrite(node, { ref: signIn.ref, conversationId, tool: "desk.rename", args }) };
}

async function look(scene: Scene, ref = scene.signIn.ref) {
  const { conversationId, messageId } = scene.card;
  const read = await other.confirmations.cards(ref, { conversationId, messageIds: [messageId] });
  invariant(read.ok, "its user reads the card");
  const card = read.cards[messageId];
  invariant(card !== undefined, "the card is there");
  return card;
}

const runsOf = ({ card }: Scene): number =>
  desk.runs.filter((run) => run.confirmationId === card.confirmationId).length;

async function noticesOf({ signIn }: Scene): Promise<readonly { outcome: string; finished: boolean }[]> {
  return at.database.query(
    sql`select tool_outcome as outcome, finished from messages where user_id = ${signIn.userId} and role = 'notice' order by seq`,
  );
}

/** Lets a handler begin, and ends it when told. */
function holdHandler(): { begun: Promise<void>; release(): void } {
  let begin: () => void = () => undefined;
  let release: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  desk.gate = async () => {
    begin();
    await released;
  };
  return { begun, release };
}

async function nodeWith(values: Partial<SettingValues>): Promise<Node> {
  const node = await startNode({ connectionString: at.connectionString, desk, values });
  started.push(node);
  return node;
}

describe("one card, many clicks", () => {
  test("two tabs confirm at once: the handler runs once, and both are told the same", async () => {
    const scene = await ask();
    const handler = holdHandler();
    const first = one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    const second = await other.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(second).toMatchObject({ ok: false, reason: "click_running", retryAfter: expect.any(Number) });
    expect((await look(scene)).state).toBe("running");
    handler.release();
    expect(await first).toEqual({ ok: true, outcome: "confirmed", finished: true });
    const again = await other.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(again).toEqual({ ok: false, reason: "not_waiting", outcome: "confirmed", finished: true });
    expect(runsOf(scene)).toBe(1);
  });

  test("a click after the spend answers the stored outcome, with no second notice", async () => {
    const scene = await ask();
    await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    for (const click of ["confirm", "reject"] as const) {
      const late = await other.confirmations[click](scene.signIn.ref, target(scene.card));
      expect(late).toEqual({ ok: false, reason: "not_waiting", outcome: "confirmed", finished: true });
    }
    expect(await noticesOf(scene)).toEqual([{ outcome: "confirmed", finished: true }]);
    expect(runsOf(scene)).toBe(1);
  });

  test("fifty confirms at once from two nodes run the handler once", async () => {
    const scene = await ask();
    const clicks = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? one : other).confirmations.confirm(scene.signIn.ref, target(scene.card)),
    );
    const said = await Promise.all(clicks);
    expect(said.filter((answer) => answer.ok)).toEqual([{ ok: true, outcome: "confirmed", finished: true }]);
    expect(runsOf(scene)).toBe(1);
    expect(await noticesOf(scene)).toHaveLength(1);
  });

  test("another session of the same user may click", async () => {
    const scene = await ask();
    const second = desk.signIn(scene.signIn.userId);
    expect(await other.confirmations.confirm(second.ref, target(scene.card))).toMatchObject({ ok: true });
  });
});

describe("who may click", () => {
  const refusals: readonly (readonly [string, (scene: Scene) => string | Promise<string>, object])[] = [
    ["another user", () => desk.signIn(uuid()).ref, { ok: false, reason: "not_found" }],
    [
      "a session that is signed out",
      ({ signIn }) => ((signIn.live = false), signIn.ref),
      { ok: false, reason: "session_invalid" },
    ],
    ["a token that names no session", () => "forged", { ok: false, reason: "session_invalid" }],
    [
      "an impersonator",
      ({ signIn }) => ((signIn.impersonatedBy = "admin"), signIn.ref),
      { ok: false, reason: "impersonated" },
    ],
    [
      "a user who may not use the assistant",
      ({ signIn }) => (signIn.permissions.delete("assistant.use"), signIn.ref),
      { ok: false, reason: "not_allowed" },
    ],
    [
      "a user whose right to the tool was withdrawn",
      ({ signIn }) => (signIn.permissions.delete("desk.write"), signIn.ref),
      { ok: false, reason: "refused", code: "forbidden" },
    ],
  ];
  test.each(refusals)("%s is refused, and the card still waits", async (_who, become, expected) => {
    const scene = await ask();
    const ref = await become(scene);
    expect(await one.confirmations.confirm(ref, target(scene.card))).toEqual(expected);
    expect(runsOf(scene)).toBe(0);
    expect(await noticesOf(scene)).toEqual([]);
    const witness = desk.signIn(scene.signIn.userId);
    expect((await look(scene, witness.ref)).state).toBe("waiting");
  });

  test.each([
    ["module:desk:on", "module_off"],
    ["module:desk:writes", "writes_off"],
  ])(
    "%s switched off on another node refuses the next click, and the card can still be cancelled",
    async (key, code) => {
      const scene = await ask();
      await other.settings.setSite({ [key]: false });
      try {
        expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
          ok: false,
          reason: "refused",
          code,
        });
        await other.settings.site({ fresh: true });
        expect(await look(scene)).toMatchObject({
          state: "unavailable",
          rejectable: true,
          preview: null,
          arguments: null,
        });
        expect(await one.confirmations.reject(scene.signIn.ref, target(scene.card))).toMatchObject({
          ok: true,
          outcome: "rejected",
        });
      } finally {
        await other.settings.setSite({ [key]: null });
        for (const node of [one, other]) await node.settings.site({ fresh: true });
      }
      expect(runsOf(scene)).toBe(0);
    },
  );

  test("with the whole assistant switched off a card is not confirmed, and can be cancelled", async () => {
    const scene = await ask();
    const node = await nodeWith({ assistantOn: false });
    expect(await node.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: false,
      reason: "assistant_off",
    });
    expect(await node.confirmations.repeat(scene.signIn.ref, target(scene.card))).toEqual({
      ok: false,
      reason: "assistant_off",
    });
    const seen = await node.confirmations.card(scene.signIn.ref, scene.card);
    expect(seen).toMatchObject({ ok: true, card: { state: "waiting", rejectable: true } });
    expect(await node.confirmations.reject(scene.signIn.ref, target(scene.card))).toMatchObject({
      ok: true,
      outcome: "rejected",
    });
  });

  test("with model calls switched off clicks go on", async () => {
    const scene = await ask();
    const node = await nodeWith({ aiOn: false });
    expect(await node.confirmations.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({
      ok: true,
      outcome: "confirmed",
    });
  });

  test("a message that is no card, or of another chat, is not waiting, whoever holds the lock", async () => {
    const scene = await ask();
    const elsewhere = await openConversation(one, scene.signIn.ref);
    const foreign = { ...target(scene.card), conversationId: elsewhere };
    expect(await one.confirmations.confirm(scene.signIn.ref, foreign)).toEqual({ ok: false, reason: "not_waiting" });
    const handler = holdHandler();
    const running = one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    expect(await other.confirmations.confirm(scene.signIn.ref, foreign)).toEqual({ ok: false, reason: "not_waiting" });
    handler.release();
    await running;
  });

  test("a host's second yes can only say no; a throw is no; the card still waits", async () => {
    const scene = await ask();
    for (const mayConfirm of [() => false, () => Promise.reject(new Error("down"))]) {
      const node = await startNode({ connectionString: at.connectionString, desk, mayConfirm });
      started.push(node);
      const said = await node.confirmations.confirm(scene.signIn.ref, target(scene.card));
      expect(said).toEqual({ ok: false, reason: "refused", code: "approval_missing" });
    }
    const asked: unknown[] = [];
    const node = await startNode({
      connectionString: at.connectionString,
      desk,
      mayConfirm: (_session, row) => asked.push(row) > 0,
    });
    started.push(node);
    expect(await node.confirmations.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({ ok: true });
    expect(asked).toEqual([
      {
        confirmationId: scene.card.confirmationId,
        conversationId: scene.card.conversationId,
        userId: scene.signIn.userId,
        tool: "desk.rename",
        arguments: '{"name":"Bo"}',
      },
    ]);
  });

  test("a host's second yes that never answers is no after the limit of host calls", async () => {
    const scene = await ask();
    const mayConfirm = () => new Promise<boolean>(() => undefined);
    const node = await startNode({
      connectionString: at.connectionString,
      desk,
      mayConfirm,
      values: { hostCallLimit: 200 },
    });
    started.push(node);
    const said = await node.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(said).toMatchObject({ ok: false, reason: "refused", code: "approval_missing" });
    expect(runsOf(scene)).toBe(0);
  });
});

describe("what became of a card", () => {
  test("the target changed: nothing runs, the old card is changed, and the new card follows in the same transaction", async () => {
    const scene = await ask();
    desk.setName(scene.signIn.userId, "Grace");
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: true,
      outcome: "changed",
      finished: true,
    });
    expect(runsOf(scene)).toBe(0);
    const rows = await at.database.query<{ role: string; follows_id: string | null; xmin: string }>(
      sql`select role, follows_id, xmin::text as xmin from messages where user_id = ${scene.signIn.userId} and (tool_outcome = 'changed' or follows_id is not null) order by seq`,
    );
    expect(rows.map((row) => [row.role, row.follows_id])).toEqual([
      ["notice", null],
      ["tool", scene.card.confirmationId],
    ]);
    expect(new Set(rows.map((row) => row.xmin)).size).toBe(1);
    const waiting = await one.confirmations.waitingCards(scene.signIn.ref, scene.card);
    invariant(waiting.ok, "its user reads what waits");
    const next = Object.values(waiting.cards)[0];
    expect(next?.preview?.changes).toEqual([{ label: "Name", before: "Grace", after: "Bo" }]);
    invariant(next !== undefined, "the new card waits");
    const confirmed = await one.confirmations.confirm(
      scene.signIn.ref,
      target({ ...scene.card, messageId: next.messageId }),
    );
    expect(confirmed).toMatchObject({ ok: true, outcome: "confirmed" });
  });

  test("a late confirm is expired, and asking again makes one new card", async () => {
    const scene = await ask();
    await at.database.query(
      sql`update confirmations set expires_at = clock_timestamp() where user_id = ${scene.signIn.userId} and id = ${scene.card.confirmationId}`,
    );
    expect(await look(scene)).toMatchObject({ state: "expired", repeatable: true, rejectable: false });
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: true,
      outcome: "expired",
      finished: true,
    });
    expect(await look(scene)).toMatchObject({ state: "expired", repeatable: true });
    const repeats = await Promise.all(
      [one, other].map((node) => node.confirmations.repeat(scene.signIn.ref, target(scene.card))),
    );
    expect(repeats.filter((said) => said.ok)).toEqual([{ ok: true, outcome: "repeated", finished: true }]);
    expect(await look(scene)).toMatchObject({ state: "expired", repeatable: false });
    expect(await other.confirmations.repeat(scene.signIn.ref, target(scene.card))).toEqual({
      ok: false,
      reason: "not_expired",
    });
    const waiting = await one.confirmations.waitingCards(scene.signIn.ref, scene.card);
    expect(waiting.ok && Object.keys(waiting.cards)).toHaveLength(1);
    expect(runsOf(scene)).toBe(0);
  });

  test("a handler that fails is failed; its row stays used and is not tried again", async () => {
    const scene = await ask("bad luck");
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: true,
      outcome: "failed",
      finished: true,
    });
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({
      reason: "not_waiting",
      outcome: "failed",
    });
    expect(runsOf(scene)).toBe(1);
  });

  test("a handler that gives no answer in time is confirmed with its end unknown, and a late end is still taken", async () => {
    const node = await nodeWith({ toolTimeLimit: 300 });
    const scene = await ask("Bo", node);
    const handler = holdHandler();
    expect(await node.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: true,
      outcome: "confirmed",
      finished: false,
    });
    expect(await look(scene)).toMatchObject({ state: "confirmed", finished: false });
    handler.release();
    await expect
      .poll(async () => {
        await other.confirmations.settleLapsed(scene.signIn.ref, scene.card);
        return noticesOf(scene);
      })
      .toEqual([{ outcome: "confirmed", finished: true }]);
    expect(runsOf(scene)).toBe(1);
  });

  test("a chat deleted while the handler runs makes the click not stored, and the handler's end is kept by its row", async () => {
    const scene = await ask();
    const handler = holdHandler();
    const click = one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    await other.chat.removeConversation(scene.signIn.ref, scene.card);
    handler.release();
    expect(await click).toEqual({ ok: false, reason: "not_stored" });
    const state = (await one.core.lookupForUser(scene.signIn.userId, [scene.card.confirmationId])).get(
      scene.card.confirmationId,
    );
    expect(state).toMatchObject({ status: "used", succeeded: true });
    expect(await one.chat.lockNow(scene.signIn.userId)).toBeNull();
  });

  test("a call that cannot be found in its answer is no_arguments", async () => {
    const scene = await ask();
    await at.database.query(
      sql`update messages set tool_calls = '[]' where user_id = ${scene.signIn.userId} and role = 'assistant'`,
    );
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: false,
      reason: "no_arguments",
    });
  });

  test("arguments that are not those that were held are a mismatch, and the card still waits", async () => {
    const scene = await ask();
    await at.database.query(
      sql`update messages set tool_calls = jsonb_set(tool_calls, '{0,arguments}', '"{\\"name\\":\\"Eve\\"}"') where user_id = ${scene.signIn.userId} and role = 'assistant'`,
    );
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: false,
      reason: "refused",
      code: "mismatch",
    });
    expect(runsOf(scene)).toBe(0);
    expect((await look(scene)).state).toBe("waiting");
  });

  test("the host is told of a confirmed write once, after its outcome is stored", async () => {
    const scene = await ask();
    const before = one.confirmed.length;
    await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await one.confirmations.settleLapsed(scene.signIn.ref, scene.card);
    const { conversationId, confirmationId } = scene.card;
    expect(one.confirmed.slice(before)).toEqual([
      { userId: scene.signIn.userId, conversationId, confirmationId, tool: "desk.rename", finished: true },
    ]);
  });
});

describe("what a card shows", () => {
  test("a waiting card shows its preview and the arguments that will run; a settled one neither", async () => {
    const scene = await ask();
    expect(await look(scene)).toMatchObject({
      state: "waiting",
      title: "Rename the record",
      arguments: '{\n  "name": "Bo"\n}',
      preview: { title: "Rename to Bo", changes: [{ label: "Name", before: "Ada", after: "Bo" }], warnings: [] },
      cut: false,
      repeatable: false,
      rejectable: true,
    });
    await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(await look(scene)).toMatchObject({
      state: "confirmed",
      preview: null,
      arguments: null,
      expiresAt: null,
      rejectable: false,
    });
  });

  test("a long card is cut on a page, and whole when it is asked for alone", async () => {
    const scene = await ask("x".repeat(10_000));
    const cut = await look(scene);
    expect(cut.cut).toBe(true);
    expect(cut.arguments?.length).toBe(one.settings.fixed.cardChars);
    const whole = await one.confirmations.card(scene.signIn.ref, scene.card);
    invariant(whole.ok, "its user reads the card");
    expect(whole.card.cut).toBe(false);
    expect(whole.card.preview?.changes[0]?.after).toBe("x".repeat(10_000));
  });

  test("a page of fifty cards is one query a room, as a page of one", async () => {
    const scene = await ask();
    const { conversationId, messageId } = scene.card;
    const messageIds = [messageId];
    for (let index = 1; index < 50; index++) {
      const args = JSON.stringify({ name: `Bo ${index}` });
      const asked = { ref: scene.signIn.ref, conversationId, tool: "desk.rename", args };
      messageIds.push((await askForWrite(one, asked)).messageId);
    }
    const texts: string[] = [];
    const counted: Database = {
      ...at.database,
      query: (statement) => {
        texts.push(statement.text);
        return at.database.query(statement);
      },
    };
    const node = await startNode({ connectionString: "", desk, database: counted });
    started.push(node);
    const read = async (ids: readonly string[]) => {
      await node.settings.site();
      texts.length = 0;
      const answer = await node.confirmations.cards(scene.signIn.ref, { conversationId, messageIds: ids });
      expect(answer.ok && Object.values(answer.cards).filter((card) => card.state === "waiting")).toHaveLength(
        ids.length,
      );
      return [/from messages/i, /from confirmations/i].map((room) => texts.filter((text) => room.test(text)).length);
    };
    expect(await read(messageIds)).toEqual([1, 1]);
    expect(await read([messageId])).toEqual([1, 1]);
  });

  test("ids of messages that are no cards of the chat are left out", async () => {
    const scene = await ask();
    const { conversationId } = scene.card;
    const read = await one.confirmations.cards(scene.signIn.ref, {
      conversationId,
      messageIds: [uuid(), "no id", scene.card.messageId],
    });
    expect(read.ok && Object.keys(read.cards)).toEqual([scene.card.messageId]);
    expect(await one.confirmations.card(scene.signIn.ref, { conversationId, messageId: uuid() })).toEqual({
      ok: false,
      reason: "not_waiting",
    });
  });
});

describe("the click's lock", () => {
  test("a turn does not start while a click runs, and a click does not run while a turn runs", async () => {
    const scene = await ask();
    const handler = holdHandler();
    const click = one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    const loaded = await one.core.loadSession(scene.signIn.ref);
    invariant(loaded.ok, "the session is live");
    const { conversationId } = scene.card;
    const turn = {
      session: loaded.session,
      conversationId,
      clientId: uuid(),
      token: uuid(),
      turnId: uuid(),
      deadlineSeconds: 60,
      perHour: 100,
      perDay: 100,
    };
    expect(await other.chat.acquireForTurn(turn)).toMatchObject({
      ok: false,
      reason: "click_in_flight",
      holder: { conversationId },
    });
    handler.release();
    await click;
    expect(await other.chat.acquireForTurn(turn)).toMatchObject({ ok: true });
    const second = await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(second).toMatchObject({ ok: false, reason: "not_waiting" });
    expect(await one.confirmations.settleLapsed(scene.signIn.ref, scene.card)).toEqual({ ok: true });
  });

  test("a click that takes longer than the hold is kept, and frees the user with its end", async () => {
    const node = await nodeWith({ lockHold: 1_500, clickKeepMs: 200, turnKeepMs: 200 });
    const scene = await ask("Bo", node);
    const handler = holdHandler();
    const click = node.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    const kept = async () => {
      const rows = await at.database.query<{ kept_at: Date }>(
        sql`select kept_at from locks where user_id = ${scene.signIn.userId}`,
      );
      return rows[0]?.kept_at.getTime() ?? 0;
    };
    const first = await kept();
    // Without keeps the lock would have lapsed by then.
    await expect.poll(kept, { interval: 50 }).toBeGreaterThan(first + 1_600);
    expect(await node.chat.lockNow(scene.signIn.userId)).toMatchObject({ kind: "click" });
    handler.release();
    expect(await click).toMatchObject({ ok: true });
    expect(await node.chat.lockNow(scene.signIn.userId)).toBeNull();
  });

  test("a click whose keeps the database refused may lose its lock, and its outcome is stored all the same", async () => {
    const scene = await ask();
    const handler = holdHandler();
    const click = one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    await at.database.query(
      sql`update locks set kept_at = clock_timestamp() - interval '1 hour' where user_id = ${scene.signIn.userId}`,
    );
    const loaded = await one.core.loadSession(scene.signIn.ref);
    invariant(loaded.ok, "the session is live");
    const { conversationId } = scene.card;
    const turn = {
      session: loaded.session,
      conversationId,
      clientId: uuid(),
      token: uuid(),
      turnId: uuid(),
      deadlineSeconds: 60,
      perHour: 100,
      perDay: 100,
    };
    expect(await other.chat.acquireForTurn(turn)).toMatchObject({ ok: true });
    await other.confirmations.settleLapsedInTurn(scene.signIn.userId, scene.card);
    expect(await noticesOf(scene)).toEqual([]);
    handler.release();
    expect(await click).toEqual({ ok: true, outcome: "confirmed", finished: true });
    expect(await noticesOf(scene)).toEqual([{ outcome: "confirmed", finished: true }]);
    expect(await other.chat.lockNow(scene.signIn.userId)).toMatchObject({ kind: "turn" });
    expect(runsOf(scene)).toBe(1);
  });

  test("a node that drains refuses new clicks and waits for the one under way", async () => {
    const node = await nodeWith({});
    const scene = await ask();
    const second = await ask();
    const handler = holdHandler();
    const click = node.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    const drained = node.confirmations.drain();
    expect(await node.confirmations.confirm(second.signIn.ref, target(second.card))).toEqual({
      ok: false,
      reason: "shutting_down",
    });
    handler.release();
    await drained;
    expect(await click).toMatchObject({ ok: true, outcome: "confirmed" });
  });
});
