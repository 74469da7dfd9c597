// A node of its own process with a click and a turn under way, which ends by SIGTERM as a server does.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { z } from "zod";
import { defineModule, writeTool } from "../../src/core/define-tool.ts";
import { invariant } from "../../src/outcome.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { createTestNode, type TestSessions } from "../../src/testing/test-node.ts";

/** Who and where; answered on the standard output line by line: `reached`, `refused: …`, then it ends. */
export interface Ending {
  readonly connectionString: string;
  readonly clicking: Someone;
  readonly asking: Someone;
}

export interface Someone {
  readonly ref: string;
  readonly userId: string;
  readonly conversationId: string;
}

const { connectionString, clicking, asking } = JSON.parse(process.argv[2] ?? "") as Ending;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const inHandler = Promise.withResolvers<void>();
const bills = defineModule({
  key: "bills",
  title: "Bills",
  sessionWrites: true,
  tools: [
    writeTool({
      name: "pay",
      title: "Pay a bill",
      description: "Pays a bill.",
      permission: "bills.write",
      input: z.object({ id: z.string() }),
      preview: (_ctx, { id }) => ({
        title: `pay ${id}`,
        changes: [{ label: "Status", before: "open", after: "paid" }],
      }),
      async run() {
        inHandler.resolve();
        await once(process.stdin, "data");
        return { paid: true };
      },
    }),
  ],
});
const inModel = Promise.withResolvers<void>();
const sessions: TestSessions = new Map(
  [clicking, asking].map(({ ref, userId }) => [ref, { ref, userId, can: () => true }]),
);
const node = await createTestNode({
  // A grace longer than a deploy waits for: what ends the turn in time is the drain's own.
  ...{ connectionString, sessions, modules: [bills], settings: { stopGrace: 120 } },
  model: scriptedModel([
    { calls: [{ name: "bills__pay", arguments: { id: "7" } }] },
    { text: "Half", hang: true, before: async () => inModel.resolve() },
  ]),
});

async function start({ ref, conversationId }: Someone, text: string): Promise<string> {
  const started = await node.turns.start(ref, {
    ...{ conversationId, text, clientId: randomUUID(), requestContext: { requestId: randomUUID() } },
  });
  return started.ok ? "started" : started.reason;
}

await start(clicking, "Pay 7.");
await node.turns.idle();
const { ref, conversationId } = clicking;
const waiting = await node.confirmations.waitingCards(ref, { conversationId });
const messageId = waiting.ok ? waiting.messages.at(-1)?.id : undefined;
invariant(messageId !== undefined, "the card of the first turn waits");
const target = { conversationId, messageId, requestContext: { requestId: randomUUID() } };
const clicked = node.confirmations.confirm(ref, target);
await inHandler.promise;
await start(asking, "Hi");
await inModel.promise;

process.once("SIGTERM", () => {
  void (async () => {
    const drained = node.turns.drain();
    const click = await node.confirmations.reject(ref, target);
    say(`refused: ${await start(asking, "Again")}, ${click.ok ? "clicked" : click.reason}`);
    await drained;
    const answer = await clicked;
    say(`click: ${answer.ok ? answer.outcome : answer.reason}`);
    await node.close();
    process.exit(0);
  })();
});
say("reached");
