import { describe, expect, test } from "vitest";
import { answer, call, card, notice, read, resultsOf, textsOf, user } from "../../test/turns/history-rows.ts";

describe("A card in the history", () => {
  const asking = () => answer("I will pay it.", call("abcdefgh1", { name: "bills.pay" }));

  test("that waits reads as waiting for the user, and asks not to be asked for again", () => {
    const paying = asking();
    const [words] = resultsOf(read([user("Pay."), paying, card(paying, "c1")]));
    expect(words).toMatch(/^Waiting for the user/);
    expect(words).toContain("Do not ask for it again");
  });

  test.each([
    ["confirmed", true, "it was done"],
    ["confirmed", false, "whether it finished is not known. Look before repeating it"],
    ["rejected", true, "do not ask for it again unless the user tells you to"],
    ["expired", true, "it was not done"],
    ["changed", true, "The values changed"],
    ["failed", true, "it failed"],
  ] as const)("that was %s (finished: %s) says so", (outcome, finished, part) => {
    const paying = asking();
    const rows = [user("Pay."), paying, card(paying, "c1"), notice("c1", outcome, finished)];
    const history = read(rows);
    expect(resultsOf(history)[0]?.toLowerCase()).toContain(part.toLowerCase());
    expect(history.remarks).toEqual([]);
  });

  test("is the newest of its call: one that followed it speaks for it", () => {
    const paying = asking();
    const rows = [
      user("Pay."),
      paying,
      card(paying, "c1"),
      notice("c1", "changed"),
      card(paying, "c2", "c1"),
      notice("c2", "rejected"),
    ];
    expect(resultsOf(read(rows))).toEqual([expect.stringMatching(/turned this change down/)]);
  });

  test("whose call is outside the window is one line before the next user's message", () => {
    const paying = asking();
    const rows = [
      user("Pay."),
      paying,
      card(paying, "c1"),
      user("Thanks."),
      answer("x".repeat(400)),
      notice("c1", "rejected"),
      user("And now?"),
      answer("Nothing."),
    ];
    const history = read(rows, { characters: 500, toolsVisible: true });
    expect(textsOf(history)).toEqual([
      expect.stringMatching(
        /^user: \[About bills\.pay, asked for earlier: The user turned this change down.*\]\n\nAnd now\?$/,
      ),
      "assistant: Nothing.",
    ]);
  });

  test("whose call is outside the window, settled after the last message, is told before the next question", () => {
    const history = read([notice("c1", "confirmed")]);
    expect(history.messages).toEqual([]);
    expect(history.remarks).toEqual([expect.stringMatching(/^\[About bills\.pay, .*it was done/)]);
  });

  test("is told once, by the card that followed it", () => {
    const elsewhere = asking();
    const rows = [notice("c1", "changed"), card(elsewhere, "c2", "c1"), notice("c2", "confirmed")];
    expect(read(rows).remarks).toHaveLength(1);
  });
});
