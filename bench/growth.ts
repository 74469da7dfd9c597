import { openRooms, type Rooms } from "../test/open-rooms.ts";
import { endpointOf, modules, sessions, values } from "./host.ts";
import { quantile, round, timed } from "./measure.ts";
import type { Stage } from "./stage.ts";
import { askOnce, at, follow, openChats, type Follower, type Person } from "./turn.ts";

const setupOf = (stage: Stage) => ({
  ...{ connectionString: stage.connectionString, modules, sessions, values, endpoints: [endpointOf()] },
});

/**
 * A turn in a short chat and in a long one, by turns: first with messages so long that the history a model gets is the
 * same in both, so that only the chats' lengths differ; then with short ones, of which 20,000 fill the window and 20 do not.
 */
export async function benchHistory(stage: Stage, runs = 150): Promise<object> {
  const rows: object[] = [];
  for (const characters of [3_000, 60]) {
    const [short, long] = await compareLengths(stage, { lengths: [20, 20_000], runs, characters, chats: 12 });
    rows.push({
      characters_a_message: characters,
      short_messages: 20,
      long_messages: 20_000,
      short_p50_ms: short?.p50_ms,
      long_p50_ms: long?.p50_ms,
      ratio: round((long?.p50_ms ?? 0) / (short?.p50_ms ?? 1)),
    });
  }
  return { rows };
}

/** A turn in chats of growing length, beside growing numbers of chats, and on one, two and four nodes. */
export async function benchGrowth(stage: Stage, runs = 80): Promise<object> {
  const lengths = await compareLengths(stage, { lengths: [100, 1_000, 10_000, 100_000], runs });
  const chats: object[] = [];
  for (const count of [1_000, 10_000, 100_000]) {
    await stage.fill(
      `insert into conversations (user_id, id, title, last_seq)
       select 'crowd-' || n, gen_random_uuid(), 'A chat', 0 from generate_series(1, ${count}) n on conflict do nothing`,
    );
    const [found] = await compareLengths(stage, { lengths: [20], runs });
    chats.push({ chats: count, p50_ms: found?.p50_ms });
  }
  const nodes: object[] = [];
  for (const count of [1, 2, 4]) nodes.push(await spread(stage, count, runs));
  return { lengths, chats, nodes };
}

interface Length {
  readonly messages: number;
  readonly p50_ms: number;
}

const warmUp = 30;
/** A chat gets no more turns than these, so that a short one stays short. */
const turnsEach = 5;

async function compareLengths(
  stage: Stage,
  {
    lengths,
    runs,
    characters = 60,
    chats,
  }: {
    readonly lengths: readonly number[];
    readonly runs: number;
    readonly characters?: number;
    /** Chats of each length, so that the turns of the bench itself lengthen all of them alike. */
    readonly chats?: number;
  },
): Promise<readonly Length[]> {
  const rooms = await openRooms(setupOf(stage));
  try {
    const asked: { readonly messages: number; readonly people: readonly Person[]; readonly took: number[] }[] = [];
    for (const messages of lengths) {
      const people = await openChats(rooms, chats ?? (messages > 1_000 ? 1 : Math.ceil((warmUp + runs) / turnsEach)));
      for (const person of people) await fillChat(stage, person, { messages, characters });
      asked.push({ messages, people, took: [] });
    }
    // By turns, so that what else the machine does meets all of them.
    for (let run = 0; run < warmUp + runs; run++) {
      for (const { people, took } of asked) {
        const ms = await timed(() => askOnce(rooms, at(people, run)));
        if (run >= warmUp) took.push(ms);
      }
    }
    return asked.map(({ messages, took }) => ({ messages, p50_ms: round(quantile(took, 0.5), 2) }));
  } finally {
    await rooms.close();
  }
}

/** Earlier turns of a chat: questions and answers of a length. */
async function fillChat(
  stage: Stage,
  { ref, conversationId }: Person,
  { messages, characters }: { readonly messages: number; readonly characters: number },
): Promise<void> {
  await stage.fill(
    `with stored as (
       insert into messages (user_id, id, conversation_id, seq, role, text)
       select '${ref}', gen_random_uuid(), '${conversationId}', n, case when n % 2 = 1 then 'user' else 'assistant' end,
         rpad('Message ' || n || ' of a chat that has gone on', ${characters}, ' for a while') from generate_series(1, ${messages}) n
     ) update conversations set last_seq = ${messages}, title = 'A long chat' where user_id = '${ref}' and id = '${conversationId}'`,
  );
}

async function openFollowed(node: Rooms): Promise<Follower> {
  return follow(node, at(await openChats(node, 1), 0));
}

/** As many turns, eight at once, spread over some nodes: what the number of nodes costs. */
async function spread(stage: Stage, count: number, runs: number): Promise<object> {
  const nodes: Rooms[] = [];
  for (let index = 0; index < count; index++) nodes.push(await openRooms({ ...setupOf(stage), poolSize: 4 }));
  try {
    const people = await Promise.all(Array.from({ length: 8 }, (_none, index) => openFollowed(at(nodes, index))));
    const everybody = (turns: number): Promise<unknown> =>
      Promise.all(
        people.map(async (person) => {
          for (let turn = 0; turn < turns; turn++) await person.ask();
        }),
      );
    await everybody(20);
    const turns = Math.ceil(runs / 2);
    const before = process.cpuUsage();
    const ms = await timed(() => everybody(turns));
    const { user, system } = process.cpuUsage(before);
    const all = people.length * turns;
    return {
      nodes: count,
      turns_per_s: round((all * 1_000) / ms, 1),
      cpu_ms_a_turn: round((user + system) / 1_000 / all, 2),
    };
  } finally {
    for (const node of nodes) await node.close();
  }
}
