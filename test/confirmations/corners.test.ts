import { describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import type { AcquireTurn } from "../../src/chat/chat.ts";
import { createConfirmations } from "../../src/confirmation/create-confirmations.ts";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import { askForWrite, startNode, target } from "../node.ts";
import {
  ask,
  at,
  desk,
  holdHandler,
  look,
  nodeWith,
  noticesOf,
  one,
  other,
  runsOf,
  type Scene,
  started,
} from "./click-scene.ts";
import { createFate, mortal } from "./mortal.ts";

// What seldom happens, and is decided all the same.

async function runOut({ signIn, card }: Scene): Promise<void> {
  await at.database.query(
    sql`update confirmations set expires_at = clock_timestamp() where user_id = ${signIn.userId} and id = ${card.confirmationId}`,
  );
}

async function turnOf({ signIn, card }: Scene): Promise<AcquireTurn> {
  const loaded = await one.core.loadSession(signIn.ref);
  invariant(loaded.ok, "the session is live");
  const { conversationId } = card;
  const ids = { clientId: uuid(), token: uuid(), turnId: uuid() };
  return { session: loaded.session, conversationId, ...ids, deadlineSeconds: 60, perHour: 100, perDay: 100 };
}

describe("asking again", () => {
  test.each(["expired", "confirmed"] as const)(
    "a turn that runs is told before an %s card is looked at",
    async (outcome) => {
      const scene = await ask();
      if (outcome === "expired") await runOut(scene);
      await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
      expect((await look(scene)).state).toBe(outcome);
      expect(await other.chat.acquireForTurn(await turnOf(scene))).toMatchObject({ ok: true });
      const said = await one.confirmations.repeat(scene.signIn.ref, target(scene.card));
      expect(said).toMatchObject({ ok: false, reason: "turn_running", retryAfter: expect.any(Number) });
    },
  );

  test("the same write being run on another card is already waiting", async () => {
    const scene = await ask();
    await runOut(scene);
    await one.confirmations.settleLapsed(scene.signIn.ref, scene.card);
    const { conversationId } = scene.card;
    const asked = { ref: scene.signIn.ref, conversationId, tool: "desk.rename", args: '{"name":"Bo"}' };
    const second = await askForWrite(one, asked);
    const fate = createFate(null);
    const dying = await startNode({ connectionString: "", desk, database: mortal(at.database, fate) });
    desk.gate = () => {
      fate.die();
      return new Promise(() => undefined);
    };
    void dying.confirmations.confirm(scene.signIn.ref, target(second));
    await fate.died;
    void dying.close();
    await at.database.query(
      sql`update locks set kept_at = clock_timestamp() - interval '1 hour' where user_id = ${scene.signIn.userId}`,
    );
    expect(await look(scene)).toMatchObject({ state: "expired", repeatable: false });
    const said = await one.confirmations.repeat(scene.signIn.ref, target(scene.card));
    expect(said).toEqual({ ok: false, reason: "already_waiting" });
  });

  test("a tool that became a read is not run", async () => {
    const scene = await ask();
    await runOut(scene);
    const core = { ...one.core, kindOf: () => "read" as const };
    const room = createConfirmations({ chat: one.chat, core, settings: one.settings });
    const said = await room.repeat(scene.signIn.ref, target(scene.card));
    expect(said).toEqual({ ok: false, reason: "refused", code: "unknown_tool" });
  });

  test("a chat deleted meanwhile leaves no held row without a card", async () => {
    const scene = await ask();
    await runOut(scene);
    const chat = {
      ...one.chat,
      async followCard(...follow: Parameters<typeof one.chat.followCard>) {
        await other.chat.removeConversation(scene.signIn.ref, scene.card);
        return one.chat.followCard(...follow);
      },
    };
    const room = createConfirmations({ chat, core: one.core, settings: one.settings });
    expect(await room.repeat(scene.signIn.ref, target(scene.card))).toEqual({ ok: false, reason: "not_stored" });
    const rows = await at.database.query(
      sql`select status from confirmations where user_id = ${scene.signIn.userId} order by created_at`,
    );
    expect(rows).toEqual([{ status: "expired" }, { status: "rejected" }]);
  });
});

describe("refusals of a click keep their words", () => {
  test("a tool's own code and sentence reach the click, and the card still waits", async () => {
    const scene = await ask();
    desk.refusing = true;
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toEqual({
      ok: false,
      reason: "refused",
      code: "desk_closed",
      sentence: "The desk is closed today.",
    });
    expect(runsOf(scene)).toBe(0);
    desk.refusing = false;
    expect(await one.confirmations.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({
      outcome: "confirmed",
    });
  });

  test("a rate limit says when to come again, and the card still waits", async () => {
    const node = await nodeWith({ redeemsPerMinute: 1 });
    const scene = await ask();
    const { conversationId } = scene.card;
    const asked = { ref: scene.signIn.ref, conversationId, tool: "desk.rename", args: '{"name":"Cy"}' };
    const second = await askForWrite(one, asked);
    expect(await node.confirmations.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({ ok: true });
    expect(await node.confirmations.confirm(scene.signIn.ref, target(second))).toEqual({
      ok: false,
      reason: "refused",
      code: "rate_limited",
      retryAfter: expect.any(Number),
    });
    expect((await look({ ...scene, card: second })).state).toBe("waiting");
  });

  test("used, but the row does not read so: nothing is told, and the card waits with the reason", async () => {
    const scene = await ask();
    const { confirmationId } = scene.card;
    await at.database.query(
      sql`update confirmations set status = 'used', preview = null, used_at = clock_timestamp(), spent_by = ${uuid()}::uuid, run_until = clock_timestamp() where user_id = ${scene.signIn.userId} and id = ${confirmationId}`,
    );
    let reads = 0;
    const core = {
      ...one.core,
      async expireForUser(...asked: Parameters<typeof one.core.expireForUser>) {
        reads += 1;
        await at.database.query(
          sql`delete from confirmations where user_id = ${scene.signIn.userId} and id = ${confirmationId}`,
        );
        return one.core.expireForUser(...asked);
      },
    };
    const room = createConfirmations({ chat: one.chat, core, settings: one.settings });
    const said = await room.confirm(scene.signIn.ref, target(scene.card));
    expect([said, reads]).toEqual([{ ok: false, reason: "refused", code: "used" }, 1]);
    expect(await noticesOf(scene)).toEqual([]);
  });

  test("a message id that is no id is no card", async () => {
    const scene = await ask();
    const clicked = { ...target(scene.card), messageId: "no id" };
    expect(await one.confirmations.confirm(scene.signIn.ref, clicked)).toEqual({ ok: false, reason: "not_waiting" });
    const strangers = desk.signIn(uuid()).ref;
    expect(await one.confirmations.confirm(strangers, clicked)).toEqual({ ok: false, reason: "not_found" });
  });
});

describe("a second person's yes", () => {
  test("is asked after the rights, and hides neither a missing right nor that the card ran out", async () => {
    const asked: unknown[] = [];
    const mayConfirm = (_session: unknown, row: unknown): boolean => asked.push(row) === 0;
    const node = await startNode({ connectionString: at.connectionString, desk, mayConfirm });
    started.push(node);
    const scene = await ask();
    scene.signIn.permissions.delete("desk.write");
    const forbidden = await node.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(forbidden).toEqual({ ok: false, reason: "refused", code: "forbidden" });
    const late = await ask();
    await runOut(late);
    const expired = await node.confirmations.confirm(late.signIn.ref, target(late.card));
    expect(expired).toMatchObject({ ok: true, outcome: "expired" });
    expect(asked).toEqual([]);
  });
});

describe("a handler whose end is not known yet", () => {
  test("a running card has no buttons, also for a user who lost the right meanwhile", async () => {
    const scene = await ask();
    const handler = holdHandler();
    const click = one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    scene.signIn.permissions.delete("desk.write");
    expect(await look(scene)).toMatchObject({ state: "running", rejectable: false, repeatable: false });
    handler.release();
    expect(await click).toMatchObject({ ok: true, outcome: "confirmed" });
  });

  test("the click that comes back gives the open notice its end, and the host is told once", async () => {
    const node = await nodeWith({ toolTimeLimit: 300 });
    const scene = await ask("Bo", node);
    const handler = holdHandler();
    const before = one.confirmed.length;
    expect(await node.confirmations.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({ finished: false });
    const open = await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(open).toEqual({ ok: false, reason: "not_waiting", outcome: "confirmed", finished: false });
    handler.release();
    await expect
      .poll(() => one.confirmations.confirm(scene.signIn.ref, target(scene.card)))
      .toEqual({ ok: false, reason: "not_waiting", outcome: "confirmed", finished: true });
    expect(await noticesOf(scene)).toEqual([{ outcome: "confirmed", finished: true }]);
    expect([node.confirmed.map((event) => event.finished), one.confirmed.length - before]).toEqual([[false], 0]);
  });

  test("an open notice whose row is gone asks for no lock", async () => {
    const node = await nodeWith({ toolTimeLimit: 200 });
    const scene = await ask("Bo", node);
    holdHandler();
    expect(await node.confirmations.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({ finished: false });
    await at.database.query(sql`delete from confirmations where user_id = ${scene.signIn.userId}`);
    expect(await other.chat.acquireForTurn(await turnOf(scene))).toMatchObject({ ok: true });
    expect(await one.confirmations.settleLapsed(scene.signIn.ref, scene.card)).toEqual({ ok: true });
  });
});

describe("settling", () => {
  test("a lapsed card is left alone while a turn runs, and the opening says so", async () => {
    const scene = await ask();
    await runOut(scene);
    expect(await other.chat.acquireForTurn(await turnOf(scene))).toMatchObject({ ok: true });
    const said = await one.confirmations.settleLapsed(scene.signIn.ref, scene.card);
    expect(said).toMatchObject({ ok: false, reason: "turn_running", retryAfter: expect.any(Number) });
    expect(await noticesOf(scene)).toEqual([]);
  });

  test("waiting cards come oldest first, wherever they are", async () => {
    const scene = await ask();
    const messageIds = [scene.card.messageId];
    for (const name of ["Cy", "Di"]) {
      const asked = { ref: scene.signIn.ref, conversationId: scene.card.conversationId, tool: "desk.rename" };
      messageIds.push((await askForWrite(one, { ...asked, args: JSON.stringify({ name }) })).messageId);
    }
    const waiting = await other.confirmations.waitingCards(scene.signIn.ref, scene.card);
    expect(waiting.ok && waiting.messages.map(({ id }) => id)).toEqual(messageIds);
  });

  test("a hook of the host that rejects later harms nothing, and is told", async () => {
    const scene = await ask();
    const errors: unknown[] = [];
    const room = createConfirmations({
      chat: one.chat,
      core: one.core,
      settings: one.settings,
      onConfirmed: () => Promise.reject(new Error("the host's page is closed")),
      onError: (error) => errors.push(error),
    });
    expect(await room.confirm(scene.signIn.ref, target(scene.card))).toMatchObject({ ok: true, outcome: "confirmed" });
    await expect.poll(() => errors).toEqual([expect.objectContaining({ message: "the host's page is closed" })]);
  });

  test("keeps that the database refuses end no click", async () => {
    const scene = await ask();
    let refused = 0;
    const database: Database = {
      ...at.database,
      query(statement) {
        if (!/^\s*update locks set kept_at/.test(statement.text)) return at.database.query(statement);
        refused += 1;
        return Promise.reject(new Error("too many connections"));
      },
    };
    const values = { lockHold: 30_000, clickKeepMs: 100 };
    const node = await startNode({ connectionString: "", desk, database, values });
    started.push(node);
    const handler = holdHandler();
    const click = node.confirmations.confirm(scene.signIn.ref, target(scene.card));
    await handler.begun;
    await expect.poll(() => refused).toBeGreaterThan(1);
    handler.release();
    expect(await click).toEqual({ ok: true, outcome: "confirmed", finished: true });
    const after = refused;
    await node.chat.lockNow(scene.signIn.userId);
    expect(refused).toBe(after);
  });
});
