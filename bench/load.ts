import { openRooms } from "../test/open-rooms.ts";
import { sql } from "../src/database/sql.ts";
import { floorTurn } from "./floor.ts";
import { endpointOf, modules, sessions, values } from "./host.ts";
import { quantile, round, timed } from "./measure.ts";
import type { Stage } from "./stage.ts";
import { floorPlaces, follow, openChats } from "./turn.ts";

const users = 100;
const connections = 10;

/** A hundred people at once on one node, each turn after turn, beside as many who write the rows bare over as many connections. */
export async function benchLoad(stage: Stage, turnsEach = 6): Promise<object> {
  const setup = { connectionString: stage.connectionString, modules, sessions, values, endpoints: [endpointOf()] };
  const rooms = await openRooms({ ...setup, poolSize: connections });
  try {
    const people = await Promise.all((await openChats(rooms, users)).map((person) => follow(rooms, person)));
    const bare = await stage.connectMany(connections);
    const places = await floorPlaces(bare, users);
    const took: number[] = [];
    let answered = 0;
    const ours = (turns: number): Promise<unknown> =>
      Promise.all(
        people.map(async (person) => {
          for (let turn = 0; turn < turns; turn++) {
            const from = performance.now();
            const how = await person.ask();
            took.push(performance.now() - from);
            if (how === "answer") answered += 1;
          }
        }),
      );
    const floor = (turns: number): Promise<unknown> =>
      Promise.all(
        places.map(async (place) => {
          for (let turn = 0; turn < turns; turn++) await floorTurn(bare, place);
        }),
      );
    // Warm: every connection has prepared every statement.
    await ours(1);
    await floor(1);
    took.length = 0;
    const [oursMs, floorMs] = [await timed(() => ours(turnsEach)), await timed(() => floor(turnsEach))];
    const turns = users * turnsEach;
    const asked = turns + users;
    const [stored] = await stage.database.query<{ turns: number }>(
      sql`select count(*) as turns from turns where how = 'answer' and user_id like 'person-%'`,
    );
    const perSecond = (ms: number): number => (turns * 1_000) / ms;
    return {
      users,
      turns,
      refused: asked - answered,
      lost: answered - (stored?.turns ?? 0),
      ours_turns_per_s: round(perSecond(oursMs), 1),
      floor_turns_per_s: round(perSecond(floorMs), 1),
      ratio: round(perSecond(oursMs) / perSecond(floorMs)),
      ours_p50_ms: round(quantile(took, 0.5), 1),
      ours_p99_ms: round(quantile(took, 0.99), 1),
    };
  } finally {
    await rooms.close();
  }
}
