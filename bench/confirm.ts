import { randomUUID } from "node:crypto";
import { v7 as uuid } from "uuid";
import type { Fence } from "../src/chat/chat.ts";
import type { Beside } from "../src/database/beside.ts";
import { invariant } from "../src/outcome.ts";
import { openRooms, type Rooms } from "../test/open-rooms.ts";
import { floorAsk, floorConfirm } from "./floor.ts";
import { endpointOf, modules, sessions, texts, values } from "./host.ts";
import { interleave, timed, type Compared } from "./measure.ts";
import type { Stage } from "./stage.ts";
import { at, floorPlaces, openChats, type Person } from "./turn.ts";

const people = 24;

/** A write is held, its card ends the turn, and its user confirms it, through the rooms, beside its rows written bare. */
export async function benchConfirm(stage: Stage, runs = 400): Promise<Compared> {
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
      ours: {
        async run(index: number) {
          const asked = await askForWrite(rooms, at(ours, index));
          return timed(() => holdAndConfirm(rooms, asked));
        },
      },
      floor: {
        async run(index: number) {
          const place = at(places, index);
          const turn = await floorAsk(client, place);
          return timed(() => floorConfirm(client, { ...place, turn }));
        },
      },
    };
    return await interleave(sides, { runs, warmUp: 120 });
  } finally {
    await rooms.close();
  }
}

/** A turn whose model has just asked for a write. */
export interface AskedWrite {
  readonly person: Person;
  readonly fence: Fence;
  readonly assistantMessageId: string;
  readonly callId: string;
  readonly args: string;
}

let names = 0;

export async function askForWrite({ chat, core }: Rooms, person: Person): Promise<AskedWrite> {
  const { ref, conversationId } = person;
  const loaded = await core.loadSession(ref);
  invariant(loaded.ok, "a person of the bench is signed in");
  const acquired = await chat.acquireForTurn({
    ...{ session: loaded.session, conversationId, clientId: uuid(), token: uuid(), turnId: uuid() },
    ...{ deadlineSeconds: 180, perHour: 100_000, perDay: 1_000_000 },
  });
  invariant(acquired.ok, "the person's lock is free");
  const { fence } = acquired;
  await chat.storeQuestion(fence, { id: uuid(), text: "Please rename it." });
  const assistantMessageId = uuid();
  const callId = "call00001";
  const args = JSON.stringify({ name: `name ${(names += 1)}` });
  const nothing = { requestId: null, model: null, inputTokens: null, outputTokens: null };
  const usage = { ...nothing, costMicros: null, latencyMs: null };
  const calls = [{ id: callId, providerId: null, name: texts.write, arguments: args }];
  await chat.store(fence, [{ role: "assistant", id: assistantMessageId, text: "", calls, usage }]);
  return { person, fence, assistantMessageId, callId, args };
}

export async function holdAndConfirm({ chat, core, confirmations }: Rooms, asked: AskedWrite): Promise<void> {
  const { person, fence, assistantMessageId, callId } = asked;
  const { ref, conversationId } = person;
  const requestContext = { requestId: randomUUID() };
  // As a turn does it: the held write's row is stored with its card.
  const due: Beside[] = [];
  const onRecord = (row: Beside): void => void due.push(row);
  const call = { tool: texts.write, args: asked.args, via: "agent", requestContext, onRecord } as const;
  const held = await core.execute(ref, call);
  invariant(held.ok && held.status === "confirmation_required", `the write is held: ${JSON.stringify(held)}`);
  const { confirmationId } = held;
  const messageId = uuid();
  const card = { role: "card", id: messageId, callId, tool: texts.write, confirmationId, assistantMessageId } as const;
  await chat.finish(fence, { how: "card", rounds: 1, messages: [card] }, due);
  const clicked = await confirmations.confirm(ref, { conversationId, messageId, requestContext });
  invariant(clicked.ok && clicked.outcome === "confirmed", `the write is confirmed: ${JSON.stringify(clicked)}`);
}
