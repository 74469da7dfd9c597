import { expect, test } from "vitest";
import { notice } from "../../test/fixtures.ts";
import { en } from "./language/en.ts";
import { isWorthAsking, sayFailure, sayNotice, sayOutcome, sayRefusedClick } from "./say.ts";

test("a refused click says the tool's own sentence, else core's reason, else that it was refused", () => {
  const refused = { code: "refused", status: 422 };
  expect(sayRefusedClick({ ...refused, detailCode: "paid", detail: "It was paid." }, en)).toBe("It was paid.");
  expect(sayRefusedClick({ ...refused, detailCode: "forbidden" }, en)).toBe(en.refused.forbidden);
  expect(sayRefusedClick({ ...refused, detailCode: "paid" }, en)).toBe(en.refused.other);
  expect(sayRefusedClick({ code: "turn_running", status: 409 }, en)).toBe(en.refusals.turn_running);
});

test("a code that is not known, or is a name of the language itself, reads like an answer that cannot be read", () => {
  for (const code of ["of_a_newer_server", "toString", "__proto__"]) {
    expect(sayFailure({ code, status: 418 }, en)).toBe(en.refusals.unreadable);
  }
});

test("a change whose end is not known is never said to be done", () => {
  const told = notice({ seq: 1, outcome: "confirmed", finished: false });
  expect(sayOutcome(told, en)).toBe(en.card.unfinished);
  expect(sayOutcome({ ...told, finished: true }, en)).toBe(en.card.states.confirmed);
});

test("only what may pass by itself is offered to be asked again", () => {
  expect(isWorthAsking(notice({ seq: 1, code: "provider_overloaded" }))).toBe(true);
  expect(isWorthAsking(notice({ seq: 1, code: "budget_user" }))).toBe(false);
  expect(sayNotice(notice({ seq: 1, code: "budget_user" }), en)).toBe(en.notices.budget_user);
});
