import { expect } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import { askForWrite, target } from "../node.ts";
import * as reference from "./reference.ts";
import {
  argsOf,
  at,
  count,
  desk,
  known,
  newCard,
  nodes,
  pick,
  setBox,
  type Real,
  type Story,
  type Who,
} from "./story-world.ts";

// What can happen in a story, each done to the real thing and to the reference.

export class Ask implements Story {
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

export class Click implements Story {
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

export class BothConfirm implements Story {
  readonly which: number;
  constructor(index: number) {
    this.which = index;
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

export class Change implements Story {
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

export const runOut = (index: number) =>
  new Change(`card ${index} runs out`, async (model, real) => {
    if (model.cards.length === 0) return;
    const card = pick(model.cards, index);
    const { confirmationId } = pick(real.cards, index);
    await at.database.query(
      sql`update confirmations set expires_at = clock_timestamp() - interval '1 second' where user_id = ${real.userId} and id = ${confirmationId} and status = 'held'`,
    );
    if (card.row === "held") card.row = "ran_out";
  });
export const remove = (index: number) =>
  new Change(`the row of card ${index} is deleted`, async (model, real) => {
    if (model.cards.length === 0) return;
    const card = pick(model.cards, index);
    if (card.row !== "held" && card.row !== "ran_out") return;
    const { confirmationId } = pick(real.cards, index);
    await at.database.query(sql`delete from confirmations where user_id = ${real.userId} and id = ${confirmationId}`);
    card.row = "gone";
  });
export const changeTarget = (name: string) =>
  new Change(`the record's name becomes ${name}`, async (model, real) => {
    desk.setName(real.userId, name);
    model.name = name;
  });
export const switchBox = new Change("the box is switched", async (model) => {
  model.box = !model.box;
  await setBox(model.box);
});
export const switchRight = (session: Who) =>
  new Change(`session ${session} loses or gets its right`, async (model, real) => {
    const mine = model.sessions[session];
    mine.mayWrite = !mine.mayWrite;
    if (mine.mayWrite) real.sessions[session].permissions.add("desk.write");
    else real.sessions[session].permissions.delete("desk.write");
  });
export const switchSignIn = (session: Who) =>
  new Change(`session ${session} signs out or in`, async (model, real) => {
    model.sessions[session].live = !model.sessions[session].live;
    real.sessions[session].live = model.sessions[session].live;
  });
export const switchImpersonation = (session: Who) =>
  new Change(`session ${session} is impersonated or no more`, async (model, real) => {
    const mine = model.sessions[session];
    mine.impersonated = !mine.impersonated;
    real.sessions[session].impersonatedBy = mine.impersonated ? "admin" : undefined;
  });
export const settle = (session: Who, node: Who) =>
  new Change(`session ${session} opens the chat on node ${node}`, async (model, real) => {
    const { conversationId } = real;
    const said = await nodes[node].confirmations.settleLapsed(real.sessions[session].ref, { conversationId });
    expect(said).toMatchObject(reference.settle(model, model.sessions[session]) ?? { ok: true });
  });
export const look = (session: Who, node: Who) =>
  new Change(`session ${session} looks on node ${node}`, async (model, real) => {
    const mine = model.sessions[session];
    const { conversationId } = real;
    const messageIds = real.cards.map((card) => card.messageId);
    const read = await nodes[node].confirmations.cards(real.sessions[session].ref, { conversationId, messageIds });
    if (!mine.live || mine.impersonated) return expect(read.ok).toBe(false);
    invariant(read.ok, "a live session reads its cards");
    const shown = real.cards.map(({ messageId }) => {
      const card = read.cards[messageId];
      return [card?.state, card?.repeatable, card?.rejectable];
    });
    expect(shown).toEqual(model.cards.map((card) => reference.view(model, mine, card)));
  });
