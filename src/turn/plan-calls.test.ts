import { describe, expect, test } from "vitest";
import type { VisibleTool } from "../core/core.ts";
import { afterHeld, planCalls, toDenialWords } from "./plan-calls.ts";
import { toShownTools, toStoredName } from "./tool-names.ts";

function tool(name: string, kind: "read" | "write"): VisibleTool {
  return { name, providerName: name.replace(".", "__"), title: name, description: "", kind, inputSchema: {} };
}

const find = tool("bills.find", "read");
const pay = tool("bills.pay", "write");
const shown = toShownTools([find, pay]);

function plan(calls: readonly { readonly name: string; readonly providerId?: string | null }[], most = 10) {
  const asked = calls.map(({ name, providerId = null }, index) => ({
    nameAsked: name,
    call: { id: `call0000${index}`, providerId, name: toStoredName(name, shown), arguments: "{}" },
  }));
  return planCalls(asked, { shown, most }).map((planned) => ("denied" in planned ? planned.denied : planned.tool.name));
}

describe("Of the calls of an answer", () => {
  test("those of a name shown in this round are run", () => {
    expect(plan([{ name: "bills__find" }, { name: "bills__pay" }])).toEqual(["bills.find", "bills.pay"]);
  });

  test.each(["bills.find", "bills__drop", "BILLS__FIND", "constructor", "__proto__", "functions.bills__find"])(
    "one of any other name is denied: %s",
    (name) => {
      expect(plan([{ name }])).toEqual(["not_shown"]);
    },
  );

  test("every one past the tenth is denied", () => {
    const verdicts = plan(Array.from({ length: 12 }, () => ({ name: "bills__find" })));
    expect(verdicts.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "bills.find"));
    expect(verdicts.slice(10)).toEqual(["too_many", "too_many"]);
  });

  test("a write whose provider's id another call bears is denied; a read of that id runs", () => {
    const calls = [
      { name: "bills__find", providerId: "call_0" },
      { name: "bills__pay", providerId: "call_0" },
    ];
    expect(plan(calls)).toEqual(["bills.find", "shared_id"]);
  });

  test("an id is shared with a call that is denied itself", () => {
    const calls = [
      { name: "bills__pay", providerId: "a" },
      { name: "nowhere", providerId: "a" },
    ];
    expect(plan(calls)).toEqual(["shared_id", "not_shown"]);
  });

  test.each([null, ""])("a missing or empty id is shared with none: %j", (providerId) => {
    const calls = [
      { name: "bills__pay", providerId },
      { name: "bills__find", providerId },
    ];
    expect(plan(calls)).toEqual(["bills.pay", "bills.find"]);
  });

  test("once a write is held, a later write and a later read are denied, each for its own reason", () => {
    expect(afterHeld(pay)).toBe("later_write");
    expect(afterHeld(find)).toBe("read_after_write");
  });
});

describe("A denial", () => {
  const words = (denied: Parameters<typeof toDenialWords>[0]) => toDenialWords(denied, { shown, most: 10 });

  test("of an unknown name tells which tools there are", () => {
    expect(words("not_shown")).toContain("bills__find, bills__pay");
  });

  test("says what the page of the product says", () => {
    expect(words("later_write")).toContain("confirm the earlier change first");
    expect(words("read_after_write")).toContain("held for confirmation");
    expect(words("already_waiting")).toContain("already waiting for confirmation");
    expect(words("cut_off")).toMatch(/^Not run, cut off/);
  });

  test("keeps a long list of tools short", () => {
    const many = toShownTools(Array.from({ length: 500 }, (_, n) => tool(`bills.number_${n}`, "read")));
    expect(toDenialWords("not_shown", { shown: many, most: 10 }).length).toBeLessThan(1_700);
  });
});

test("A name that was never shown is stored in a form every provider takes", () => {
  for (const name of ["$READ FILE.now", "x<|channel|>y", "😀", "a".repeat(100)]) {
    expect(toStoredName(name, shown)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  }
});
