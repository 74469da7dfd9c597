import type { Database } from "../../src/database/database.ts";
import type { Death, DeathPoint } from "./node-setup.ts";

/** Kills its own process, as SIGKILL does, where it was told to. */
export interface Reaper {
  reach(point: DeathPoint): void;
  between(database: Database): Database;
}

interface Place {
  readonly point: DeathPoint;
  readonly when: "before" | "after";
  readonly is: (text: string) => boolean;
}

/** Statements are known by what they write. */
export const isSpend = (text: string): boolean => text.includes("set status = 'used'");
export const isTurnEnd = (text: string): boolean =>
  text.includes("kind = 'turn'\n") && text.includes("delete from locks");
export const isHandlerEnd = (text: string): boolean => text.includes("set finished_at = clock_timestamp()");
const isQuestion = (text: string): boolean => text.includes("set user_message_id");
const isCall = (text: string): boolean => text.includes("insert into ai_requests");
const isAnswer = (text: string): boolean => text.includes("update ai_requests r set\n");
const isHold = (text: string): boolean => text.includes("insert into confirmations") && !text.includes("'replaced'");
const isNotice = (text: string): boolean => text.includes("set told = true");

const places: readonly Place[] = [
  { point: "before the question", when: "before", is: isQuestion },
  { point: "after the question", when: "after", is: isQuestion },
  { point: "between rounds", when: "before", is: isCall },
  { point: "after the model's answer", when: "after", is: isAnswer },
  { point: "before the end of a turn", when: "before", is: isTurnEnd },
  { point: "after the end of a turn", when: "after", is: isTurnEnd },
  { point: "after the hold", when: "after", is: isHold },
  { point: "before the spend", when: "before", is: isSpend },
  { point: "after the spend", when: "after", is: isSpend },
  { point: "after the handler's end", when: "after", is: isHandlerEnd },
  { point: "before the notice", when: "before", is: isNotice },
  { point: "after the notice", when: "after", is: isNotice },
];

export function createReaper(death: Death | undefined): Reaper {
  let left = death?.nth ?? 0;
  const reach = (point: DeathPoint): void => {
    if (death?.point !== point) return;
    left -= 1;
    if (left <= 0) process.kill(process.pid, "SIGKILL");
  };
  const place = places.find(({ point }) => point === death?.point);
  return {
    reach,
    between(database) {
      if (place === undefined) return database;
      return {
        ...database,
        async query(statement) {
          const here = place.is(statement.text);
          if (here && place.when === "before") reach(place.point);
          const rows = await database.query(statement);
          if (here && place.when === "after") reach(place.point);
          return rows as never;
        },
      };
    },
  };
}
