import { describe, expect, test } from "vitest";
import type { ConfirmationState } from "../core/core.ts";
import { toOutcome } from "./row-outcome.ts";

const held: ConfirmationState = {
  id: "a",
  status: "held",
  ranOut: false,
  running: false,
  succeeded: null,
  runUntil: null,
  replacedBy: null,
  replacementHolds: false,
};
const used: ConfirmationState = { ...held, status: "used", runUntil: new Date(0) };

describe("what core's row says of a card", () => {
  test.each([
    ["a held row still waits", held, { wait: "held" }],
    [
      "a held row past its time still waits, because a spend may be under way",
      { ...held, ranOut: true },
      { wait: "held" },
    ],
    ["a spent row whose handler may be running is told later", { ...used, running: true }, { wait: "running" }],
    ["a spent row that ended well is confirmed", { ...used, succeeded: true }, told("confirmed")],
    ["a spent row that ended in failure is failed", { ...used, succeeded: false }, told("failed")],
    ["a spent row with no end past its time is confirmed with its end unknown", used, told("confirmed", false)],
    ["a rejected row is rejected", { ...held, status: "rejected" }, told("rejected")],
    ["an expired row is expired", { ...held, status: "expired" }, told("expired")],
    ["a row that is gone is expired", { ...held, status: "gone" }, told("expired")],
    [
      "a replaced row whose replacement holds is changed, with the new row",
      { ...held, status: "replaced", replacedBy: "b", replacementHolds: true },
      { ...told("changed"), nextConfirmationId: "b" },
    ],
    [
      "a replaced row whose replacement ran out is expired",
      { ...held, status: "replaced", replacedBy: "b", replacementHolds: false },
      told("expired"),
    ],
  ] as const)("%s", (_rule, state, expected) => {
    expect(toOutcome(state)).toEqual(expected);
  });
});

function told(outcome: string, finished = true): object {
  return { wait: null, outcome, finished, nextConfirmationId: null };
}
