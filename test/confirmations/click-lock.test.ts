import { describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import { target } from "../node.ts";
import { at, one, other, ask, runsOf, noticesOf, holdHandler, nodeWith } from "./click-scene.ts";

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
