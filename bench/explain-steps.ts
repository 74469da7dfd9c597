import { openRooms } from "../test/open-rooms.ts";
import { askForWrite, holdAndConfirm } from "./confirm.ts";
import { describeStatement, noting, type Seen } from "./explain.ts";
import { floorAsk, floorConfirm, floorTurn, type Queryable } from "./floor.ts";
import { endpointOf, modules, sessions, values } from "./host.ts";
import { quantile, timed } from "./measure.ts";
import { setStage, type Stage } from "./stage.ts";
import { askOnce, at, floorPlaces, openChats } from "./turn.ts";

/** Prints the statements of one turn or one confirm, in order, and beside them the floor's; times are medians of some runs. */
export async function explain(name: string): Promise<void> {
  if (name !== "turn" && name !== "confirm") return console.log(`${name}: --explain is for turn and confirm`);
  const stage = await setStage();
  try {
    const { ours, floor } = await noteBoth(stage, name);
    console.log(`\n${name}: ours`);
    print(ours);
    console.log(`\n${name}: floor`);
    print(floor);
  } finally {
    await stage.close();
  }
}

const runs = 60;

interface Noted {
  readonly steps: readonly Seen[];
  readonly took: number;
}

async function noteBoth(stage: Stage, name: "turn" | "confirm"): Promise<Record<"ours" | "floor", readonly Noted[]>> {
  let seen: Seen[] = [];
  const take = async (work: () => Promise<unknown>): Promise<Noted> => {
    seen = [];
    const took = await timed(work);
    return { steps: seen, took };
  };
  const rooms = await openRooms({
    ...{ connectionString: stage.connectionString, modules, sessions, values, endpoints: [endpointOf()] },
    between: (database) => noting(database, { push: (step: Seen) => seen.push(step) }),
  });
  const client = await stage.connect();
  const noted: Queryable = {
    async query(config) {
      const from = performance.now();
      await client.query(config);
      seen.push({ ...describeStatement(config.text), ms: performance.now() - from });
    },
  };
  const people = await openChats(rooms, 12);
  const places = await floorPlaces(client, 12);
  const both = { ours: [] as Noted[], floor: [] as Noted[] };
  for (let index = 0; index < runs * 2; index++) {
    const [person, place] = [at(people, index), at(places, index)];
    const before = name === "turn" ? null : await askForWrite(rooms, person);
    const turn = name === "turn" ? "" : await floorAsk(client, place);
    const ours = await take(() => (before === null ? askOnce(rooms, person) : holdAndConfirm(rooms, before)));
    const floor = await take(() =>
      name === "turn" ? floorTurn(noted, place) : floorConfirm(noted, { ...place, turn }),
    );
    if (index < runs) continue;
    both.ours.push(ours);
    both.floor.push(floor);
  }
  await rooms.close();
  return both;
}

function print(noted: readonly Noted[]): void {
  const last = noted.at(-1)?.steps ?? [];
  const same = noted.filter(({ steps }) => steps.length === last.length);
  console.table(
    last.map(({ what, stores, text }, index) => ({
      statement: what.slice(0, 110),
      stores,
      "p50 ms": Number(
        quantile(
          same.map(({ steps }) => steps[index]?.ms ?? 0),
          0.5,
        ).toFixed(2),
      ),
      begins: text.slice(0, 48),
    })),
  );
  const sum = last.reduce(
    (total, _step, index) =>
      total +
      quantile(
        same.map(({ steps }) => steps[index]?.ms ?? 0),
        0.5,
      ),
    0,
  );
  const whole = quantile(
    noted.map(({ took }) => took),
    0.5,
  );
  console.log(
    `${last.length} statements, ${last.filter(({ stores }) => stores).length} that store: ${sum.toFixed(2)} ms of ${whole.toFixed(2)} ms`,
  );
}
