import { randomUUID } from "node:crypto";
import { z } from "zod";
import { defineModule, readTool, writeTool } from "../src/core/define-tool.ts";
import { invariant } from "../src/outcome.ts";
import type { ScriptedStep } from "../src/testing/scripted-model.ts";
import type { ServerEvent } from "../src/wire/events.ts";
import { openRooms } from "../test/open-rooms.ts";
import { endpointOf, sessions, values } from "./host.ts";
import { connections, nextStep, script, type Contender, type ContenderSetup } from "./peer.ts";

const moduleKey = "office";

/** This package, on the script that its peers run: the rooms of one node, every chat of another person and watched by them. */
export async function openOurs({ connectionString, onAsked, onWrite }: ContenderSetup): Promise<Contender> {
  const always: ScriptedStep = ({ question, results }) => {
    const step = nextStep(question, results.length > 0);
    if (step.kind === "answer") return step.text;
    if (step.name === script.write.name) onAsked();
    return { calls: [{ name: `${moduleKey}__${step.name}`, arguments: step.args }] };
  };
  const rooms = await openRooms({
    ...{ connectionString, sessions, values, poolSize: connections },
    endpoints: [endpointOf(always)],
    modules: [officeModule(onWrite)],
  });
  const people = new Map<string, Promise<Person>>();

  /** A person is named after their chat. */
  async function welcome(ref: string): Promise<Person> {
    const created = await rooms.chat.createConversation(ref);
    invariant(created.ok, "a person of the bench may chat");
    const { id: conversationId } = created.conversation;
    const person: Person = { ref, conversationId, cardId: null, ended: () => undefined };
    const watching = await rooms.chat.watch(ref, {
      ...{ conversationId, afterSeq: null, signal: new AbortController().signal },
      send(encoded) {
        if (encoded.includes('"turn_ended"') || encoded.includes('"needs_confirmation"')) note(person, encoded);
        return true;
      },
    });
    invariant(watching.ok, "a person of the bench may watch their chat");
    return person;
  }

  async function say(chat: string, text: string): Promise<Person> {
    let coming = people.get(chat);
    if (coming === undefined) people.set(chat, (coming = welcome(chat)));
    const person = await coming;
    const over = new Promise<void>((resolve) => (person.ended = resolve));
    const { ref, conversationId } = person;
    const requestContext = { requestId: randomUUID() };
    const started = await rooms.turns.start(ref, { conversationId, text, clientId: randomUUID(), requestContext });
    invariant(started.ok, `a turn of the bench starts: ${JSON.stringify(started)}`);
    await over;
    return person;
  }

  return {
    async ask(chat) {
      await say(chat, script.question);
    },
    async hold(chat, name) {
      const { cardId } = await say(chat, `${script.wish}${name}`);
      return { chat, name, state: cardId };
    },
    async approve({ chat, state }) {
      const person = await people.get(chat);
      invariant(person !== undefined && typeof state === "string", "a card was held");
      const { ref, conversationId } = person;
      const click = { conversationId, messageId: state, requestContext: { requestId: randomUUID() } };
      const clicked = await rooms.confirmations.confirm(ref, click);
      invariant(clicked.ok && clicked.outcome === "confirmed", `the write is confirmed: ${JSON.stringify(clicked)}`);
    },
    close: () => rooms.close(),
  };
}

interface Person {
  readonly ref: string;
  readonly conversationId: string;
  /** The newest card that this person was told of. */
  cardId: string | null;
  ended: () => void;
}

function note(person: Person, encoded: string): void {
  const event = JSON.parse(/^data: (.*)$/m.exec(encoded)?.[1] ?? "null") as ServerEvent | null;
  if (event?.type === "turn_ended") person.ended();
  if (event?.type === "message" && event.message.role === "tool") person.cardId = event.message.id;
}

function officeModule(onWrite: ContenderSetup["onWrite"]): ReturnType<typeof defineModule> {
  return defineModule({
    key: moduleKey,
    title: "Office",
    sessionWrites: true,
    tools: [
      readTool({ ...script.read, permission: "office.read", input: z.object({}), run: () => script.found }),
      writeTool({
        ...script.write,
        permission: "office.write",
        input: z.object({ name: z.string() }),
        preview: (_ctx, { name }) => ({ title: "Rename", changes: [{ label: "Name", before: "a", after: name }] }),
        run: (_ctx, { name }) => onWrite(name),
      }),
    ],
  });
}
