import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createDesk, deskRights, type Desk, type SignIn } from "../desk.ts";
import { askForWrite, type AskedCard, type Node, openConversation, startNode, target } from "../node.ts";
import { createFate, mortal } from "./mortal.ts";
import * as reference from "./reference.ts";

// Two sessions of one user, two tabs, two processes: random stories beside the reference. `COUNTERSIGN_STORIES` tells
// more of them, `COUNTERSIGN_SEED` tells the same again.
const stories = Number(process.env["COUNTERSIGN_STORIES"] ?? 2_000);
const seed = Number(process.env["COUNTERSIGN_SEED"] ?? Date.now() % 2_147_483_647);

let at: TestDatabase;
let desk: Desk;
let nodes: readonly [Node, Node];

beforeAll(async () => {
  at = await createTestDatabase();
  desk = createDesk();
  const { connectionString } = at;
  nodes = [await startNode({ connectionString, desk }), await startNode({ connectionString, desk })];
});

afterAll(async () => {
  for (const node of nodes) await node.close();
  await at.drop();
});

interface Real {
  readonly userId: string;
  readonly sessions: readonly [SignIn, SignIn];
  readonly conversationId: string;
  readonly cards: AskedCard[];
}
type Story = fc.AsyncCommand<reference.Reference, Real>;
type Who = 0 | 1;

const names = ["Bo", "Cy", "bad"] as const;
const who = fc.constantFrom<Who>(0, 1);
const which = fc.nat({ max: 9 });
const argsOf = (name: string): string => JSON.stringify({ name });
const pick = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  invariant(item !== undefined, "a story picks among what there is");
  return item;
};

async function newCard(real: Real, before: ReadonlySet<string>): Promise<void> {
  const [node] = nodes;
  const rows = await node.chat.cardsOf(real.userId, {
    conversationId: real.conversationId,
    messageIds: [],
    andWaiting: true,
  });
  for (const row of rows) {
    if (before.has(row.messageId)) continue;
    real.cards.push({
      conversationId: real.conversationId,
      messageId: row.messageId,
      confirmationId: row.confirmationId,
    });
  }
}

/** Sets the box on one node and lets the others see it now rather than within their second. */
async function setBox(writes: boolean): Promise<void> {
  await nodes[1].settings.setSite({ "module:desk:writes": writes });
  for (const node of nodes) await node.settings.site({ fresh: true });
}

/** How often each thing was seen, so that a change that keeps stories from happening is noticed. */
const seen = new Map<string, number>();
const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

const known = (real: Real): ReadonlySet<string> => new Set(real.cards.map((card) => card.messageId));

class Ask implements Story {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  check = (model: Readonly<reference.Reference>) =>
    model.box && model.sessions[0].live && !model.sessions[0].impersonated && model.sessions[0].mayWrite;
  async run(model: reference.Reference, real: Real) {
    const asked = {
      ref: real.sessions[0].ref,
      conversationId: real.conversationId,
      tool: "desk.rename",
      args: argsOf(this.name),
    };
    real.cards.push(await askForWrite(nodes[0], asked));
    reference.hold(model, argsOf(this.name), this.name);
  }
  toString = () => `ask(${this.name})`;
}

class Click implements Story {
  readonly click: "confirm" | "reject" | "repeat";
  readonly who: Who;
  readonly node: Who;
  readonly which: number;
  constructor(click: "confirm" | "reject" | "repeat", people: { who: Who; node: Who; which: number }) {
    this.click = click;
    this.who = people.who;
    this.node = people.node;
    this.which = people.which;
  }
  check = (model: Readonly<reference.Reference>) => model.cards.length > 0;
  async run(model: reference.Reference, real: Real) {
    const card = pick(model.cards, this.which);
    const session = model.sessions[this.who];
    const runs = desk.runs.length;
    const modelRuns = model.runs;
    const before = known(real);
    const said = await nodes[this.node].confirmations[this.click](
      real.sessions[this.who].ref,
      target(pick(real.cards, this.which)),
    );
    const expected =
      this.click === "reject" ? reference.reject(session, card) : reference[this.click](model, session, card);
    expect(said).toMatchObject(expected);
    count(`${this.click} ${said.ok ? said.outcome : (said.code ?? said.reason)}`);
    expect(desk.runs.length - runs).toBe(model.runs - modelRuns);
    await newCard(real, before);
    expect(real.cards).toHaveLength(model.cards.length);
  }
  toString = () => `${this.click}(card ${this.which}, session ${this.who}, node ${this.node})`;
}

class BothConfirm implements Story {
  readonly which: number;
  constructor(which: number) {
    this.which = which;
  }
  check = (model: Readonly<reference.Reference>) => model.cards.length > 0;
  async run(model: reference.Reference, real: Real) {
    const card = pick(model.cards, this.which);
    const told = card.told;
    const runs = desk.runs.length;
    const modelRuns = model.runs;
    const before = known(real);
    const clicked = target(pick(real.cards, this.which));
    const said = await Promise.all([
      nodes[0].confirmations.confirm(real.sessions[0].ref, clicked),
      nodes[1].confirmations.confirm(real.sessions[1].ref, clicked),
    ]);
    // A click that met the other one was told to come again, or what became of the card; the rest answer as if alone.
    const alone = said
      .map((one, session) => ({ one, mine: pick(model.sessions, session) }))
      .filter(({ one }) => one.ok || (one.reason !== "click_running" && one.reason !== "not_waiting"))
      .toSorted((one, other) => Number(one.one.ok) - Number(other.one.ok));
    for (const { one, mine } of alone) expect(one).toMatchObject(reference.confirm(model, mine, card));
    for (const one of said) if (!one.ok && one.reason === "not_waiting") expect(one.outcome).toBe(card.told);
    for (const one of said) count(`both ${one.ok ? one.outcome : one.reason}`);
    if (alone.length === 0) expect(told).not.toBeNull();
    expect(desk.runs.length - runs).toBe(model.runs - modelRuns);
    await newCard(real, before);
    expect(real.cards).toHaveLength(model.cards.length);
  }
  toString = () => `both confirm(card ${this.which})`;
}

class Change implements Story {
  readonly title: string;
  readonly work: (model: reference.Reference, real: Real) => Promise<void>;
  constructor(title: string, work: (model: reference.Reference, real: Real) => Promise<void>) {
    this.title = title;
    this.work = work;
  }
  check = () => true;
  run = (model: reference.Reference, real: Real) => this.work(model, real);
  toString = () => this.title;
}

const runOut = (index: number) =>
  new Change(`card ${index} runs out`, async (model, real) => {
    if (model.cards.length === 0) return;
    const card = pick(model.cards, index);
    const { confirmationId } = pick(real.cards, index);
    await at.database.query(
      sql`update confirmations set expires_at = clock_timestamp() - interval '1 second' where user_id = ${real.userId} and id = ${confirmationId} and status = 'held'`,
    );
    if (card.row === "held") card.row = "ran_out";
  });
const remove = (index: number) =>
  new Change(`the row of card ${index} is deleted`, async (model, real) => {
    if (model.cards.length === 0) return;
    const card = pick(model.cards, index);
    if (card.row !== "held" && card.row !== "ran_out") return;
    const { confirmationId } = pick(real.cards, index);
    await at.database.query(sql`delete from confirmations where user_id = ${real.userId} and id = ${confirmationId}`);
    card.row = "gone";
  });
const changeTarget = (name: string) =>
  new Change(`the record's name becomes ${name}`, async (model, real) => {
    desk.setName(real.userId, name);
    model.name = name;
  });
const switchBox = new Change("the box is switched", async (model) => {
  model.box = !model.box;
  await setBox(model.box);
});
const switchRight = (session: Who) =>
  new Change(`session ${session} loses or gets its right`, async (model, real) => {
    const mine = model.sessions[session];
    mine.mayWrite = !mine.mayWrite;
    if (mine.mayWrite) real.sessions[session].permissions.add("desk.write");
    else real.sessions[session].permissions.delete("desk.write");
  });
const switchSignIn = (session: Who) =>
  new Change(`session ${session} signs out or in`, async (model, real) => {
    model.sessions[session].live = !model.sessions[session].live;
    real.sessions[session].live = model.sessions[session].live;
  });
const switchImpersonation = (session: Who) =>
  new Change(`session ${session} is impersonated or no more`, async (model, real) => {
    const mine = model.sessions[session];
    mine.impersonated = !mine.impersonated;
    real.sessions[session].impersonatedBy = mine.impersonated ? "admin" : undefined;
  });
const settle = (session: Who, node: Who) =>
  new Change(`session ${session} opens the chat on node ${node}`, async (model, real) => {
    const { conversationId } = real;
    const said = await nodes[node].confirmations.settleLapsed(real.sessions[session].ref, { conversationId });
    expect(said).toMatchObject(reference.settle(model, model.sessions[session]) ?? { ok: true });
  });
const look = (session: Who, node: Who) =>
  new Change(`session ${session} looks on node ${node}`, async (model, real) => {
    const mine = model.sessions[session];
    const { conversationId } = real;
    const messageIds = real.cards.map((card) => card.messageId);
    const read = await nodes[node].confirmations.cards(real.sessions[session].ref, { conversationId, messageIds });
    if (!mine.live || mine.impersonated) return expect(read.ok).toBe(false);
    invariant(read.ok, "a live session reads its cards");
    const seen = real.cards.map(({ messageId }) => {
      const card = read.cards[messageId];
      return [card?.state, card?.repeatable, card?.rejectable];
    });
    expect(seen).toEqual(model.cards.map((card) => reference.view(model, mine, card)));
  });

/** A click whose node dies after some steps: the card ends as its row says, the handler ran at most once, the user is free. */
const killed = (
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
      const parsed: { name: string } = JSON.parse(args);
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

const click = fc.constantFrom("confirm" as const, "reject" as const, "repeat" as const);
const ask = fc.constantFrom(...names).map((name) => new Ask(name));
const confirm = fc.record({ who, node: who, which }).map((people) => new Click("confirm", people));
const reject = fc.record({ who, node: who, which }).map((people) => new Click("reject", people));
const repeat = fc.record({ who, node: who, which }).map((people) => new Click("repeat", people));
const both = which.map((index) => new BothConfirm(index));
const ranOut = which.map(runOut);
const death = fc.record({ which, steps: fc.nat({ max: 12 }), commits: fc.boolean(), later: fc.boolean() });
const kill = fc.tuple(click, death).map(([kind, how]) => killed(kind, how));
const killConfirm = death.map((how) => killed("confirm", how));
// What is listed more often happens more often.
const commands = [
  ...[ask, ask, ask, ask, confirm, confirm, confirm, reject, repeat, repeat, both, both],
  ...[ranOut, ranOut, kill, killConfirm, killConfirm],
  which.map(remove),
  fc.constantFrom("Ada", "Di").map(changeTarget),
  fc.constant(switchBox),
  who.map(switchRight),
  who.map(switchSignIn),
  who.map(switchImpersonation),
  fc.tuple(who, who).map(([session, node]) => settle(session, node)),
  fc.tuple(who, who).map(([session, node]) => look(session, node)),
];

// Two thousand stories hold every one of these many times over.
const mustHappen = [
  ...["confirmed", "failed", "changed", "expired", "not_waiting", "forbidden", "writes_off"].map(
    (said) => `confirm ${said}`,
  ),
  ...["session_invalid", "impersonated"].map((said) => `confirm ${said}`),
  ...["rejected", "expired", "not_waiting"].map((said) => `reject ${said}`),
  ...["repeated", "not_expired", "already_waiting"].map((said) => `repeat ${said}`),
  ...["confirmed", "click_running", "not_waiting"].map((said) => `both ${said}`),
  ...["waiting before", "confirmed after", "failed after", "changed before"].map(
    (end) => `killed confirm ${end} the handler`,
  ),
];

test(
  `cards do what the reference says in ${stories} random stories (seed ${seed})`,
  { timeout: 60_000 + stories * 1_000 },
  async () => {
    const story = fc.asyncProperty(fc.commands(commands, { maxCommands: 25, size: "max" }), async (told) => {
      const userId = uuid();
      const sessions = [desk.signIn(userId, deskRights), desk.signIn(userId, deskRights)] as const;
      const conversationId = await openConversation(nodes[0], sessions[0].ref);
      await setBox(true);
      const start = () => ({
        model: reference.createReference(),
        real: { userId, sessions, conversationId, cards: [] },
      });
      await fc.asyncModelRun(start, told);
    });
    await fc.assert(story, { numRuns: stories, seed, endOnFailure: false });
    const happened = [...seen.keys()].toSorted();
    if (process.env["COUNTERSIGN_TALLY"] !== undefined) console.log(Object.fromEntries([...seen].toSorted()));
    expect(happened).toEqual(expect.arrayContaining([...mustHappen]));
  },
);
