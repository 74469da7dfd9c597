import { expect, expectTypeOf, test } from "vitest";
import type { ServerEvent, TurnActivity, TurnEnd } from "../../src/wire/events.ts";
import {
  cardOutcomes,
  type CardOutcome,
  type ClickRefusal,
  type GuardRefusal,
  type NoticeCode,
} from "../../src/wire/reasons.ts";
import type { ModelErrorCode } from "../../src/wire/reasons.ts";

// The words that browsers and hosts lean on, pinned by literals: another one is a change for them. The types are compared
// by the type check, the statuses and codes of problem documents beside their table.

test("the outcomes of a card are five", () => {
  expect(cardOutcomes).toEqual(["confirmed", "rejected", "expired", "changed", "failed"]);
  expectTypeOf<CardOutcome>().toEqualTypeOf<"confirmed" | "rejected" | "expired" | "changed" | "failed">();
});

test("the events of a chat, and how a turn ends", () => {
  type Events = "hello" | "message" | "message_changed" | "turn" | "delta" | "retract" | "turn_ended" | "card";
  expectTypeOf<ServerEvent["type"]>().toEqualTypeOf<Events | "conversation" | "bye">();
  expectTypeOf<TurnActivity>().toEqualTypeOf<"starting" | "thinking" | "answering" | "tool" | "stopping">();
  type Ends = "answer" | "card" | "notice" | "stopped" | "deadline" | "interrupted" | "chat_gone";
  expectTypeOf<TurnEnd>().toEqualTypeOf<Ends>();
});

test("why a click did nothing", () => {
  type Acting =
    | "session_invalid"
    | "session_unavailable"
    | "impersonated"
    | "not_allowed"
    | "assistant_off"
    | "not_found";
  type Clicking = "not_waiting" | "not_expired" | "already_waiting" | "turn_running" | "click_running" | "no_arguments";
  expectTypeOf<ClickRefusal>().toEqualTypeOf<Acting | Clicking | "not_stored" | "shutting_down" | "refused">();
});

test("the notices of a turn beside those of the guard and the model", () => {
  type Ended =
    | "session_ended"
    | "session_unavailable"
    | "impersonated"
    | "not_allowed"
    | "assistant_off"
    | "interrupted";
  type Answered = "stopped" | "deadline" | "empty_answer" | "answer_truncated" | "round_limit";
  type Pictures = "pictures_not_seen" | "pictures_taken_back";
  expectTypeOf<Exclude<NoticeCode, GuardRefusal | ModelErrorCode>>().toEqualTypeOf<Ended | Answered | Pictures>();
  expectTypeOf<GuardRefusal>().toEqualTypeOf<
    "budget_user" | "budget_total" | "ai_off" | "suspended" | "no_price" | "no_endpoint"
  >();
});
