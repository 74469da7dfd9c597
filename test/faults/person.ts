import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ConversationAnswer, StartTurnAnswer, WaitingCardsAnswer } from "../../src/wire/api.ts";
import type { ToolMessage } from "../../src/wire/messages.ts";
import type { Answered, NodeProcess } from "./node-process.ts";
import { behaviours } from "./office.ts";
import { wishes } from "./office-model.ts";
import type { OfficeWorld } from "./office-world.ts";
import type { Random } from "./random.ts";
import { watchOnce, type Witness } from "./witness.ts";

/** Somebody who uses the assistant in two tabs, asks, stops, clicks, and is sometimes not allowed to. */
export interface Person {
  readonly userId: string;
  /** Does one thing after another until the signal fires. */
  live(signal: AbortSignal): Promise<void>;
  /** Opens every chat on the newest node. */
  openAll(): Promise<void>;
}

export interface PersonSetup {
  readonly userId: string;
  readonly world: OfficeWorld;
  readonly witness: Witness;
  readonly random: Random;
  /** Words that are planted in names: they may be in no log. */
  readonly secret: string;
  nodes(): readonly NodeProcess[];
}

const weights = {
  ask: 6,
  click: 5,
  "click in two tabs": 3,
  stop: 1,
  open: 1,
  "change the record": 1.5,
  "let a card run out": 1,
  "sign out": 0.6,
  "lose the right": 0.6,
  "be impersonated": 0.4,
  "delete the chat": 0.3,
} as const;

let questions = 0;

export async function hirePerson(setup: PersonSetup): Promise<Person> {
  const { userId, world, witness, random, secret } = setup;
  const { ask: sql } = world.postgres;
  let refs = [...(await world.hire(userId, 2))];
  const chats: string[] = [];
  const started: { conversationId: string; turnId: string }[] = [];
  /** What holds of the person now; only the person changes it, one thing after another. */
  const now = { mayWrite: true, impersonated: false };

  const tab = (): string => random.pick(refs);
  const node = (): NodeProcess => random.pick(setup.nodes());
  const mayClick = (): boolean => now.mayWrite && !now.impersonated;

  const things: Readonly<Record<keyof typeof weights, () => Promise<void>>> = {
    async ask() {
      const conversationId = await chat();
      if (conversationId === null) return;
      const wish = random.pick(wishes);
      const name = wish.endsWith("rename") ? `: ${random.pick(behaviours)}-${secret}-${randomUUID().slice(0, 6)}` : "";
      const body = { text: `#${(questions += 1)} ${wish}${name}`, clientId: randomUUID() };
      const path = `/conversations/${conversationId}/turns`;
      const twice = random.chance(0.25);
      const answers = await Promise.all([
        node().ask("POST", path, { as: tab(), body }),
        ...(twice ? [node().ask("POST", path, { as: tab(), body })] : []),
      ]);
      const ids = new Set(answers.flatMap(turnOf));
      if (ids.size > 1) witness.problems.push(`one client id was answered with ${ids.size} turns`);
      for (const turnId of ids) started.push({ conversationId, turnId });
      note("ask", answers);
    },

    async stop() {
      const last = started.at(-1);
      if (last === undefined) return;
      const { conversationId, turnId } = last;
      note("stop", [await node().ask("POST", `/conversations/${conversationId}/turns/${turnId}/stop`, { as: tab() })]);
    },

    async click() {
      const card = await findCard();
      if (card === null) return;
      const word = random.weighed({ confirm: 6, reject: 1.5, repeat: 1.5 });
      note(word, [await click(card, word)]);
    },

    async "click in two tabs"() {
      const card = await findCard();
      if (card === null) return;
      const second = random.weighed({ confirm: 5, reject: 1, repeat: 1 });
      note(`confirm beside ${second}`, await Promise.all([click(card, "confirm"), click(card, second)]));
    },

    async open() {
      const conversationId = await chat();
      if (conversationId !== null) await node().ask("POST", `/conversations/${conversationId}/open`, { as: tab() });
    },

    async "change the record"() {
      const name = `meanwhile-${secret}-${randomUUID().slice(0, 6)}`;
      await sql("update office.records set name = $2 where user_id = $1", [userId, name]);
    },

    async "let a card run out"() {
      await sql(
        `update countersign.confirmations set expires_at = clock_timestamp() - interval '1 second'
          where user_id = $1 and id = (select id from countersign.confirmations where user_id = $1 and status = 'held' limit 1)`,
        [userId],
      );
    },

    async "sign out"() {
      const [out, ...stay] = refs;
      await sql("update office.sign_ins set live = false where ref = $1", [out]);
      const ref = `${userId}/${randomUUID().slice(0, 8)}`;
      // What is asked in an ended sign-in runs nothing: it is not noted as a click.
      const card = await findCard();
      if (card !== null && out !== undefined) await sendClick(card, "confirm", out);
      await sql("insert into office.sign_ins (ref, user_id) values ($1, $2)", [ref, userId]);
      refs = [...stay, ref];
    },

    "lose the right": () => without("mayWrite", "may_write", false),
    "be impersonated": () => without("impersonated", "impersonated", true),

    async "delete the chat"() {
      const conversationId = await chat();
      if (conversationId === null) return;
      witness.deleted.add(conversationId);
      const answer = await node().ask("DELETE", `/conversations/${conversationId}`, { as: tab() });
      if (answer.status === 0) return;
      if (answer.status !== 204) witness.deleted.delete(conversationId);
      else chats.splice(chats.indexOf(conversationId), 1);
    },
  };

  /** Clicks while a right is missing, then gets it back. */
  async function without(what: keyof typeof now, column: string, value: boolean): Promise<void> {
    await sql(`update office.sign_ins set ${column} = $2 where user_id = $1`, [userId, value]);
    now[what] = value;
    const card = await findCard();
    if (card !== null) note("confirm without the right", [await click(card, "confirm")]);
    await sql(`update office.sign_ins set ${column} = $2 where user_id = $1`, [userId, !value]);
    now[what] = !value;
  }

  async function chat(): Promise<string | null> {
    if (chats.length > 0 && (chats.length > 1 || random.chance(0.8))) return random.pick(chats);
    const made = await node().ask("POST", "/conversations", { as: tab(), body: {} });
    if (made.status !== 201) return chats[0] ?? null;
    const { id } = (made.body as ConversationAnswer).conversation;
    chats.push(id);
    void watch(id);
    return id;
  }

  interface Card {
    readonly conversationId: string;
    readonly messageId: string;
    readonly confirmationId: string;
  }

  async function findCard(): Promise<Card | null> {
    if (chats.length === 0) return null;
    const conversationId = random.pick(chats);
    const answer = await node().ask("GET", `/conversations/${conversationId}/cards`, { as: tab() });
    if (answer.status !== 200) return null;
    const { messages } = answer.body as WaitingCardsAnswer;
    const cards = messages.filter((message): message is ToolMessage => message.role === "tool");
    const card = cards.length === 0 ? undefined : random.pick(cards);
    return card?.confirmationId == null
      ? null
      : { conversationId, messageId: card.id, confirmationId: card.confirmationId };
  }

  async function click(card: Card, word: string): Promise<Answered> {
    // Noted before it is sent. One whose answer never came may still run when its user has every right again.
    if (word === "confirm" && mayClick()) witness.clicks.add(card.confirmationId);
    const answer = await sendClick(card, word, tab());
    if (word === "confirm" && answer.status === 0) witness.clicks.add(card.confirmationId);
    // 9: a click is answered with an outcome, and tells nothing of what was written.
    if (JSON.stringify(answer.body).includes(secret)) witness.problems.push(`a ${word} was answered with a name`);
    return answer;
  }

  function sendClick({ conversationId, messageId }: Card, word: string, as: string): Promise<Answered> {
    return node().ask("POST", `/conversations/${conversationId}/cards/${messageId}/${word}`, { as });
  }

  function note(what: string, answers: readonly Answered[]): void {
    for (const { status, code, body } of answers) {
      if (code === "internal") witness.problems.push(`${what} was answered as our own fault`);
      const outcome = typeof body === "object" && body !== null && "outcome" in body ? String(body.outcome) : "done";
      witness.count(`${what}: ${status === 0 ? "no answer" : (code ?? outcome)}`);
    }
  }

  let over: AbortSignal = AbortSignal.abort();
  async function watch(conversationId: string): Promise<void> {
    let after = 0;
    while (!over.aborted && !witness.deleted.has(conversationId)) {
      const signal = AbortSignal.any([over, AbortSignal.timeout(3_000)]);
      after = await watchOnce(node(), witness, { ref: tab(), conversationId, after, signal });
      await pause(50);
    }
  }

  return {
    userId,
    async live(signal) {
      over = signal;
      while (!signal.aborted) {
        const what = random.weighed(weights);
        await things[what]();
        await pause(random.below(120));
      }
    },
    async openAll() {
      for (const conversationId of chats) {
        await world.nodes.at(-1)?.ask("POST", `/conversations/${conversationId}/open`, { as: tab() });
      }
    },
  };
}

function turnOf(answer: Answered): readonly string[] {
  return answer.status === 202 ? [(answer.body as StartTurnAnswer).turnId] : [];
}
