import type { Database } from "../../src/database/database.ts";
import type { Death, DeathPoint } from "./node-setup.ts";
import { texts } from "./statements.ts";

/** Sends its own process the signal where it was told to, once. */
export interface Reaper {
  reach(point: DeathPoint): void;
  between(database: Database): Database;
}

interface Place {
  readonly point: DeathPoint;
  readonly when: "before" | "after";
  readonly text: string;
}

const places: readonly Place[] = [
  { point: "before the question", when: "before", text: texts.question },
  { point: "after the question", when: "after", text: texts.question },
  { point: "between rounds", when: "before", text: texts.modelCall },
  { point: "after the model's answer", when: "after", text: texts.modelAnswer },
  { point: "before the end of a turn", when: "before", text: texts.turnEnd },
  { point: "after the end of a turn", when: "after", text: texts.turnEnd },
  { point: "after the hold", when: "after", text: texts.hold },
  { point: "before the spend", when: "before", text: texts.spend },
  { point: "after the spend", when: "after", text: texts.spend },
  { point: "after the handler's end", when: "after", text: texts.handlerEnd },
  { point: "before the notice", when: "before", text: texts.notice },
  { point: "after the notice", when: "after", text: texts.notice },
];

export function createReaper(death: Death | undefined): Reaper {
  let left = death?.nth ?? 0;
  const reach = (point: DeathPoint): void => {
    if (death?.point !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, death.signal ?? "SIGKILL");
  };
  const place = places.find(({ point }) => point === death?.point);
  return {
    reach,
    between(database) {
      if (place === undefined) return database;
      return {
        ...database,
        async query(statement) {
          const here = place.text === statement.text;
          if (here && place.when === "before") reach(place.point);
          const rows = await database.query(statement);
          if (here && place.when === "after") reach(place.point);
          return rows as never;
        },
        async together(statements, options) {
          const here = statements.some(({ text }) => text === place.text);
          if (here && place.when === "before") reach(place.point);
          const answers = await database.together(statements, options);
          if (here && place.when === "after") reach(place.point);
          return answers;
        },
      };
    },
  };
}
