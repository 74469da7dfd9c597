import { expect } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { startNode, target } from "../node.ts";
import { createFate, mortal } from "./mortal.ts";
import type * as reference from "./reference.ts";
import { Change } from "./story-steps.ts";
import { at, count, desk, nodes, pick, type Real } from "./story-world.ts";

/** A click whose node dies after some steps: the card ends as its row says, the handler ran at most once, the user is free. */
export const killed = (
  click: "confirm" | "reject" | "repeat",
  death: { which: number; steps: number; commits: boolean; later: boolean },
) =>
  new Change(
    `${click}(card ${death.which}) dies at step ${death.steps}${death.commits ? " as it commits" : ""}`,
    async (model, real) => {
      if (model.cards.length === 0 || !model.sessions[0].live || model.sessions[0].impersonated) return;
      const asked = pick(real.cards, death.which);
      const card = pick(model.cards, death.which);
      const runs = desk.runs.length;
      const told = card.told;
      const fate = createFate({ after: death.steps, commits: death.commits });
      const mortalNode = await startNode({ connectionString: "", desk, database: mortal(at.database, fate) });
      const answer = mortalNode.confirmations[click](real.sessions[0].ref, target(asked));
      const died = await Promise.race([answer.then(() => false), fate.died.then(() => true)]);
      fate.die();
      // Its timers end; what it still waits for never comes.
      void mortalNode.close();
      await at.database.query(
        sql`update locks set kept_at = clock_timestamp() - interval '1 hour' where user_id = ${real.userId}`,
      );
      await at.database.query(
        sql`update confirmations set run_until = clock_timestamp() - interval '1 second' where user_id = ${real.userId} and run_until is not null`,
      );
      const { conversationId } = real;
      if (death.later) await nodes[1].chat.sweepLocks();
      const settled = await nodes[0].confirmations.settleLapsed(real.sessions[0].ref, { conversationId });
      expect(settled).toEqual({ ok: true });
      await adopt(model, real);
      const ran = desk.runs.slice(runs);
      const when = ran.length === 0 ? "before" : "after";
      if (died && told === null) count(`killed ${click} ${card.told ?? "waiting"} ${when} the handler`);
      expect(ran.length).toBeLessThanOrEqual(1);
      expect(desk.runs.filter((run) => run.confirmationId === asked.confirmationId).length).toBeLessThanOrEqual(1);
      if (ran.length === 1) {
        model.runs += 1;
        expect(["confirmed", "failed"]).toContain(card.told);
      }
      model.name = desk.nameOf(real.userId);
    },
  );

/** Reads the reference anew from the rows after a death, checking that every notice says only what its row says. */
async function adopt(model: reference.Reference, real: Real): Promise<void> {
  const rows = await at.database.query<{
    id: string;
    status: string;
    succeeded: boolean | null;
    ran_out: boolean;
    args_hash: string;
  }>(
    sql`select id, status, succeeded, status = 'held' and expires_at <= clock_timestamp() as ran_out, args_hash from confirmations where user_id = ${real.userId}`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const cards = await nodes[0].chat.cardsOf(real.userId, {
    conversationId: real.conversationId,
    messageIds: real.cards.map((card) => card.messageId),
    andWaiting: true,
  });
  for (const row of cards) {
    let index = real.cards.findIndex((card) => card.messageId === row.messageId);
    if (index < 0) {
      index = real.cards.length;
      real.cards.push({
        conversationId: real.conversationId,
        messageId: row.messageId,
        confirmationId: row.confirmationId,
      });
      const args = row.call?.arguments ?? "";
      const parsed = JSON.parse(args) as { readonly name: string };
      model.cards.push({
        row: "held",
        told: null,
        args,
        name: parsed.name,
        seen: desk.nameOf(real.userId),
        followed: false,
      });
    }
    const card = pick(model.cards, index);
    const held = byId.get(row.confirmationId);
    card.followed = row.followed;
    card.told = row.outcome;
    card.row = held === undefined ? "gone" : held.status === "held" ? (held.ran_out ? "ran_out" : "held") : "settled";
    const ran = desk.runs.some((run) => run.confirmationId === row.confirmationId);
    if (row.outcome === null) expect(held?.status).toBe("held");
    if (row.outcome === "confirmed" || row.outcome === "failed") expect(held?.status).toBe("used");
    if (row.outcome === "confirmed" && row.finished) expect([held?.succeeded, ran]).toEqual([true, true]);
    if (row.outcome === "failed") expect([held?.succeeded, ran]).toEqual([false, true]);
    if (row.outcome === "rejected" || row.outcome === "expired" || row.outcome === "changed") expect(ran).toBe(false);
    if (row.outcome === "changed") expect([held?.status, row.followed]).toEqual(["replaced", true]);
  }
}
