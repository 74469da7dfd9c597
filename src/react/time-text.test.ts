import { expect, test } from "vitest";
import { toConversation } from "../../test/fixtures.ts";
import { groupChats } from "./group-chats.ts";
import { en } from "./language/en.ts";
import { toLanguage } from "./language/language.ts";
import { ru } from "./language/ru.ts";
import { toDaysAgo, toDollars, toNextTick, toTimeLeft } from "./time-text.ts";

const minute = 60_000;

test.each([
  [45_900, "45 sec"],
  [-5, "0 sec"],
  [59 * minute + 59_000, "59 min"],
  [119 * minute, "119 min"],
  [5 * 60 * minute, "5 hr"],
  [6 * 24 * 60 * minute, "6 days"],
])("%d milliseconds left read %s", (milliseconds, text) => {
  expect(toTimeLeft(milliseconds, en)).toBe(text);
});

test("time left is looked at again when it reads differently", () => {
  for (const left of [5_400, 61_000, 61_500, 119 * minute + 1, 5 * 60 * minute + 7]) {
    const next = toNextTick(left);
    expect(toTimeLeft(left - next, en)).not.toBe(toTimeLeft(left, en));
    expect(toTimeLeft(left - next + 2, en)).toBe(toTimeLeft(left, en));
  }
});

test("days are counted by the calendar", () => {
  const at = (text: string): number => new Date(text).getTime();
  expect(toDaysAgo("2026-11-29T23:59:00", at("2026-11-30T00:01:00"))).toBe(1);
  expect(toDaysAgo("2026-11-30T00:01:00", at("2026-11-30T23:59:00"))).toBe(0);
});

test("chats are grouped by the day of their last message", () => {
  const now = new Date("2026-11-30T12:00:00").getTime();
  const days = [0, 0, 1, 3, 40].map((ago) =>
    toConversation(`${ago}`, { lastMessageAt: new Date(now - ago * 86_400_000).toISOString() }),
  );
  expect(groupChats(days, now).map(({ age, chats }) => [age, chats.length])).toEqual([
    ["today", 2],
    ["yesterday", 1],
    ["week", 1],
    ["older", 1],
  ]);
});

test("small amounts keep the digits that say something", () => {
  expect(toDollars(4_200, en)).toBe("$0.0042");
  expect(toDollars(1_250_000, en)).toBe("$1.25");
});

test("the language is the first that there is, else English", () => {
  expect(toLanguage("ru-RU").code).toBe("ru");
  expect(toLanguage(undefined, "fi", "ru").code).toBe("ru");
  expect(toLanguage(null, "fi").code).toBe("en");
});

test("Russian counts in its three forms", () => {
  expect([1, 2, 5, 11, 21].map((number) => ru.thread.waiting(number))).toEqual([
    "1 изменение ждёт вашего решения",
    "2 изменения ждут вашего решения",
    "5 изменений ждут вашего решения",
    "11 изменений ждут вашего решения",
    "21 изменение ждёт вашего решения",
  ]);
});
