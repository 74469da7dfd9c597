import { describe, expect, test } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import { target } from "../node.ts";
import { at, desk, one, other, ask, look, runsOf, noticesOf, holdHandler, nodeWith } from "./click-scene.ts";

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
