import { expect, test } from "vitest";
import { defaultValues } from "../settings/check-setting.ts";

test("Unless something else is set, a turn has these figures", () => {
  expect(defaultValues).toMatchObject({
    maxToolRounds: 10,
    maxCallsPerRound: 10,
    toolResultChars: 8_000,
    historyChars: 60_000,
    messageChars: 20_000,
    instructionsChars: 4_000,
    turnsPerHour: 60,
    turnsPerDay: 500,
    turnDeadline: 180,
    stopGrace: 15,
    lockHold: 30_000,
    turnKeepMs: 10_000,
    sweepEvery: 10_000,
    pageMessages: 50,
    watchRecheck: 30_000,
  });
});
