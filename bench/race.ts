// npm run race: how often one approved write is run, counted in a side file that its handler writes to, with real
// processes over real HTTP on a real PostgreSQL. `--json` prints the counts alone; `--rounds <n>` repeats the races.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ClickAnswer, ConversationAnswer, MessagesAnswer } from "../src/wire/api.ts";
import { invariant } from "../src/outcome.ts";
import type { ToolMessage } from "../src/wire/messages.ts";
import type { Answered, NodeProcess } from "../test/faults/node-process.ts";
import { openOfficeWorld, type OfficeWorld } from "../test/faults/office-world.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, rounds: { type: "string", default: "10" } },
});
const world = await openOfficeWorld();
try {
  const figures = await race(world, Number(values.rounds));
  if (values.json) console.log(JSON.stringify(figures));
  else print(figures);
} finally {
  await world.close();
}
process.exit(0);

type Figures = Awaited<ReturnType<typeof race>>;

/** The most that was seen in any round. */
async function race(
  { startNode, hire, handlers }: OfficeWorld,
  rounds: number,
): Promise<{
  readonly two_clicks: number;
  readonly late_third: number;
  readonly forged_arguments: number;
  readonly kill_in_handler: { readonly runs: number; readonly settled: boolean };
}> {
  const nodes = [await startNode(), await startNode()] as const;
  const [one, other] = nodes;
  const [ref] = await hire("ada", 1);
  invariant(ref !== undefined, "a person has a sign-in");
  const runsOf = (name: string): number => handlers().filter((line) => line.name === name).length;
  const ran = { two: 0, third: 0, forged: 0 };

  for (let index = 0; index < rounds; index++) {
    // Two connections at once: of one process, and of two.
    for (const second of nodes) {
      const card = await askFor(one, ref, "slow");
      await Promise.all([confirm(one, ref, card), confirm(second, ref, card)]);
      ran.two = Math.max(ran.two, runsOf(card.name));
      await confirm(other, ref, card);
      ran.third = Math.max(ran.third, runsOf(card.name));
    }
    ran.forged = Math.max(ran.forged, await forge(one, ref));
  }
  // A first run that is not counted would be a zero that proves nothing.
  invariant(ran.two > 0, "an approved write runs");
  const killed = await killInHandler();
  return { two_clicks: ran.two, late_third: ran.third, forged_arguments: ran.forged, kill_in_handler: killed };

  /** Runs with other arguments than the card's, whatever a request says beside its path. */
  async function forge(node: NodeProcess, as: string): Promise<number> {
    const card = await askFor(node, as, "plain");
    const victim = await askFor(node, as, "plain");
    const forged = `forged-${randomUUID().slice(0, 8)}`;
    const body = {
      arguments: { name: forged },
      args: JSON.stringify({ name: forged }),
      name: forged,
      tool: "office.rename",
      confirmationId: victim.confirmationId,
      messageId: victim.messageId,
    };
    const query = new URLSearchParams(Object.entries(body).map(([key, value]) => [key, JSON.stringify(value)]));
    await node.ask("POST", `${pathOf(card)}/confirm?${query.toString()}`, { as, body });
    return runsOf(forged) + runsOf(victim.name);
  }

  async function killInHandler(): Promise<{ readonly runs: number; readonly settled: boolean }> {
    const doomed = await startNode({ death: { point: "in the handler", nth: 1 } });
    invariant(ref !== undefined, "a person has a sign-in");
    const card = await askFor(one, ref, "slow");
    await confirm(doomed, ref, card);
    await doomed.gone;
    // Whoever opens the chat settles the card, once its lock has lapsed and its handler cannot be running any more.
    let settled = false;
    for (const until = performance.now() + 30_000; !settled && performance.now() < until; await pause(100)) {
      await other.ask("POST", `/conversations/${card.conversationId}/open`, { as: ref });
      settled = await isTold(other, ref, card);
    }
    await Promise.all([confirm(one, ref, card), confirm(other, ref, card)]);
    return { runs: runsOf(card.name), settled };
  }
}

interface Asked {
  readonly conversationId: string;
  readonly messageId: string;
  readonly confirmationId: string;
  readonly name: string;
}

function pathOf({ conversationId, messageId }: Asked): string {
  return `/conversations/${conversationId}/cards/${messageId}`;
}

/** A chat whose model has asked for a write: its card. */
async function askFor(node: NodeProcess, as: string, behaviour: string): Promise<Asked> {
  const made = await node.ask("POST", "/conversations", { as, body: {} });
  invariant(made.status === 201, "a chat is made");
  const conversationId = (made.body as ConversationAnswer).conversation.id;
  const name = `${behaviour}-${randomUUID().slice(0, 8)}`;
  const body = { text: `#1 rename: ${name}`, clientId: randomUUID() };
  let started: Answered;
  do started = await node.ask("POST", `/conversations/${conversationId}/turns`, { as, body });
  while (started.code === "turn_running" || started.code === "click_in_flight");
  invariant(started.status === 202, `a turn starts: ${started.code}`);
  for (;;) {
    const card = (await read(node, as, conversationId)).messages.find(
      (message): message is ToolMessage => message.role === "tool" && message.confirmationId !== null,
    );
    if (card?.confirmationId != null) {
      return { conversationId, messageId: card.id, confirmationId: card.confirmationId, name };
    }
    await pause(20);
  }
}

async function read(node: NodeProcess, as: string, conversationId: string): Promise<MessagesAnswer> {
  const page = await node.ask("GET", `/conversations/${conversationId}/messages`, { as });
  invariant(page.status === 200, `a chat is read: ${page.code}`);
  return page.body as MessagesAnswer;
}

async function isTold(node: NodeProcess, as: string, card: Asked): Promise<boolean> {
  const { messages } = await read(node, as, card.conversationId);
  return messages.some((message) => message.role === "notice" && message.confirmationId === card.confirmationId);
}

async function confirm(node: NodeProcess, as: string, card: Asked): Promise<ClickAnswer["outcome"] | null> {
  const answer = await node.ask("POST", `${pathOf(card)}/confirm`, { as });
  return answer.status === 200 ? (answer.body as ClickAnswer).outcome : null;
}

function print(figures: Figures): void {
  const killed = figures.kill_in_handler;
  console.table([
    { race: "two clicks at once", "runs of the write": figures.two_clicks, "has to be": "1" },
    { race: "and a late third", "runs of the write": figures.late_third, "has to be": "1" },
    {
      race: "forged arguments and ids: runs with those",
      "runs of the write": figures.forged_arguments,
      "has to be": "0",
    },
    { race: "killed in the handler, opened elsewhere", "runs of the write": killed.runs, "has to be": "at most 1" },
    { race: "… and the card was settled", "runs of the write": killed.settled, "has to be": "true" },
  ]);
}
