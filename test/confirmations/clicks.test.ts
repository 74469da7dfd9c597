import { describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import { openConversation, startNode, target } from "../node.ts";
import {
  at,
  desk,
  one,
  other,
  ask,
  look,
  runsOf,
  noticesOf,
  holdHandler,
  nodeWith,
  started,
  type Scene,
} from "./click-scene.ts";

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
