import { randomUUID } from "node:crypto";
import { invariant } from "../src/outcome.ts";
import { openRooms, type Rooms } from "../test/open-rooms.ts";
import { floorConversation, floorTurn, type FloorPlace, type Queryable } from "./floor.ts";
import { endpointOf, modules, sessions, texts, values } from "./host.ts";
import { interleave, timed, type Compared } from "./measure.ts";
import type { Stage } from "./stage.ts";

/** People take turns one after another, so that what a node remembers of a user for a second is forgotten between two of theirs. */
const people = 24;

/** A whole turn (two model calls, one read) through the rooms, beside its rows written bare. */
export async function benchTurn(stage: Stage, runs = 400): Promise<Compared> {
  const rooms = await openRooms({
    connectionString: stage.connectionString,
    modules,
    sessions,
    values,
    endpoints: [endpointOf()],
  });
  const client = await stage.connect();
  try {
    const ours = await openChats(rooms, people);
    const places = await floorPlaces(client, people);
    const sides = {
      ours: { run: (index: number) => timed(() => askOnce(rooms, at(ours, index))) },
      floor: { run: (index: number) => timed(() => floorTurn(client, at(places, index))) },
    };
    return await interleave(sides, { runs, warmUp: 120 });
  } finally {
    await rooms.close();
  }
}

/** A user with their chat. */
export interface Person {
  readonly ref: string;
  readonly conversationId: string;
}

export async function openChats(rooms: Rooms, count: number): Promise<readonly Person[]> {
  const made: Person[] = [];
  for (let index = 0; index < count; index++) {
    const ref = `person-${index}-${randomUUID().slice(0, 8)}`;
    const created = await rooms.chat.createConversation(ref);
    invariant(created.ok, "a person of the bench may chat");
    made.push({ ref, conversationId: created.conversation.id });
  }
  return made;
}

/** Starts a turn and waits until it is over, alone on its node. */
export async function askOnce(rooms: Rooms, person: Person): Promise<void> {
  const how = await startTurn(rooms, person);
  invariant(how === "started", `a turn of the bench starts: ${how}`);
  await rooms.turns.idle();
}

async function startTurn(rooms: Rooms, { ref, conversationId }: Person): Promise<string> {
  const requestContext = { requestId: randomUUID() };
  const asked = { conversationId, text: texts.question, clientId: randomUUID(), requestContext };
  const started = await rooms.turns.start(ref, asked);
  return started.ok ? "started" : started.reason;
}

export async function floorPlaces(client: Queryable, count: number): Promise<readonly FloorPlace[]> {
  const places: FloorPlace[] = [];
  for (let index = 0; index < count; index++) places.push(await floorConversation(client, `floor-${randomUUID()}`));
  return places;
}

export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  invariant(item !== undefined, "a bench takes turns among some");
  return item;
}

/** A person whose chat is watched: `ask` starts a turn and answers how it ended, or why it did not start. */
export interface Follower {
  readonly person: Person;
  ask(): Promise<string>;
}

export async function follow(rooms: Rooms, person: Person): Promise<Follower> {
  const { ref, conversationId } = person;
  let ended: (how: string) => void = () => undefined;
  const watching = await rooms.chat.watch(ref, {
    ...{ conversationId, afterSeq: null, signal: new AbortController().signal },
    send(encoded) {
      const found = /"type":"turn_ended".*"how":"(\w+)"/.exec(encoded);
      if (found?.[1] !== undefined) ended(found[1]);
      return true;
    },
  });
  invariant(watching.ok, "a person of the bench may watch their chat");
  return {
    person,
    async ask() {
      const over = new Promise<string>((resolve) => (ended = resolve));
      const how = await startTurn(rooms, person);
      return how === "started" ? over : how;
    },
  };
}
