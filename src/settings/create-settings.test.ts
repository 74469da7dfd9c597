import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createSettings } from "./create-settings.ts";
import { settingsSchema, type SettingValues } from "./schema.ts";
import type { Settings } from "./settings.ts";

let db: TestDatabase;
let other: Database;
beforeAll(async () => {
  db = await createTestDatabase();
  other = await connectDatabase({ connectionString: db.connectionString });
});
afterAll(async () => {
  await other.close();
  await db.drop();
});

const open: Settings[] = [];
/** A node whose clock stands still unless the test moves it. */
function node(
  options: Omit<Parameters<typeof createSettings>[0], "database"> & { database?: Database } = {},
): Settings {
  const settings = createSettings({ database: db.database, now: () => 0, ...options });
  open.push(settings);
  return settings;
}
beforeEach(() => db.database.query(sql`delete from settings`));
afterEach(async () => {
  await Promise.all(open.splice(0).map((settings) => settings.close()));
});

describe("values in code", () => {
  test("a list of known names takes no other name, and may be empty", async () => {
    expect(() => node({ values: { attachmentTypes: "pdf, pgn" } })).toThrow(
      "settings.attachmentTypes: expected names with commas between, of text, markdown, csv, json, pdf, docx, xlsx, png, jpeg, webp, gif",
    );
    expect(await node().setSite({ attachmentTypes: "pdf;png" })).toEqual({ ok: false, reason: "out_of_bounds" });
    for (const attachmentTypes of ["PDF,png", ""]) {
      expect(await node().setSite({ attachmentTypes })).toMatchObject({ ok: true });
    }
  });

  test("a value out of its bounds throws with the key, what was expected and what it got", () => {
    expect(() => node({ values: { turnsPerHour: 0 } })).toThrow(
      "countersign: settings.turnsPerHour: expected a whole number from 1 to 100000, got 0",
    );
    expect(() => node({ values: { maxToolRounds: 1.5 } })).toThrow("settings.maxToolRounds: expected a whole number");
    expect(() => node({ values: { siteBudgetDay: -1 } })).toThrow("or null for none, got -1");
  });

  test("a value of another type throws", () => {
    const values = JSON.parse('{"aiOn":"yes"}') as Partial<SettingValues>;
    expect(() => node({ values })).toThrow('settings.aiOn: expected true or false, got "yes"');
  });

  test("an unknown key throws with the keys there are", () => {
    const values = JSON.parse('{"turnsPerMinute":5}') as Partial<SettingValues>;
    expect(() => node({ values })).toThrow(/settings: expected one of .*turnsPerHour.*, got "turnsPerMinute"/);
  });

  test("a lock is kept at least twice within its hold", () => {
    expect(() => node({ values: { lockHold: 10_000 } })).toThrow(
      "settings.clickKeepMs: expected at most half of lockHold (5000 ms), got 10000",
    );
  });

  test("every default is within its own bounds, and every bound has its default", () => {
    const { fixed } = node();
    expect(Object.keys(fixed)).toEqual(Object.keys(settingsSchema));
    expect(() => node({ values: fixed })).not.toThrow();
  });
});

describe("who may set what", () => {
  test("rows of the site stand over the code's values, and a user's rows over the site's", async () => {
    const settings = node({ values: { turnsPerHour: 10, instructions: "code" } });
    await settings.setSite({ turnsPerHour: 20, instructions: "site" });
    await settings.setUser("anna", { instructions: "anna" });
    expect((await settings.site()).values).toMatchObject({ turnsPerHour: 20, instructions: "site" });
    expect((await settings.forUser("anna")).values).toMatchObject({ turnsPerHour: 20, instructions: "anna" });
    expect((await settings.forUser("ben")).values.instructions).toBe("site");
    expect(settings.fixed).toMatchObject({ turnsPerHour: 10, instructions: "code" });
  });

  test("a user sets only what is the user's; an admin sets limits for one user, and not the user's words", async () => {
    const settings = node();
    const refusal = { ok: false, reason: "not_settable" };
    expect(await settings.setUser("anna", { turnsPerHour: 1_000 })).toEqual(refusal);
    expect(await settings.setUser("anna", { turnsPerHour: 1_000 }, { asAdmin: true })).toEqual({ ok: true });
    expect(await settings.setUser("anna", { instructions: "obey" }, { asAdmin: true })).toEqual(refusal);
    expect(await settings.setUser("anna", { aiOn: false }, { asAdmin: true })).toEqual(refusal);
    expect(await settings.setSite({ lockHold: 60_000 })).toEqual(refusal);
    expect((await settings.forUser("anna")).values.turnsPerHour).toBe(1_000);
    expect((await settings.forUser("ben")).values.turnsPerHour).toBe(60);
  });

  test("a change of several keys is set whole or not at all", async () => {
    const settings = node();
    expect(await settings.setSite({ turnsPerHour: 5, maxToolRounds: 51 })).toEqual({
      ok: false,
      reason: "out_of_bounds",
    });
    expect(await settings.setSite({ turnsPerHour: 5, maxRounds: 5 })).toEqual({ ok: false, reason: "unknown_setting" });
    expect((await settings.site()).values.turnsPerHour).toBe(60);
  });

  test.each(["__proto__", "constructor", "toString", "module:billing:off", "module::on"])(
    "the key %s is unknown",
    async (key) => {
      const changes = Object.fromEntries([[key, true]]);
      expect(await node().setSite(changes)).toEqual({ ok: false, reason: "unknown_setting" });
    },
  );

  test("null takes a row back to the value below it", async () => {
    const settings = node({ values: { siteBudgetDay: 5 } });
    await settings.setSite({ siteBudgetDay: 7, instructions: "site" });
    await settings.setUser("anna", { instructions: "anna" });
    await settings.setUser("anna", { instructions: null });
    expect((await settings.forUser("anna")).values).toMatchObject({ siteBudgetDay: 7, instructions: "site" });
    await settings.setSite({ siteBudgetDay: null });
    expect((await settings.site()).values.siteBudgetDay).toBe(5);
  });

  test("a stored value that is out of today's bounds, or of a key no row may set, does not count", async () => {
    await db.database.query(sql`
      insert into settings (user_id, key, value)
      values ('', 'turnsPerHour', '0'), ('', 'lockHold', '1000'), ('', 'aiOn', '"no"'), ('', 'retired', '1'),
             ('anna', 'assistantOn', 'false')`);
    const { values } = await node().forUser("anna");
    expect(values).toEqual(node().fixed);
  });

  test("a text is stored without NUL", async () => {
    const settings = node();
    expect(await settings.setUser("anna", { instructions: "be\0 brief" })).toEqual({ ok: true });
    expect((await settings.forUser("anna")).values.instructions).toBe("be brief");
  });
});

test("a module's switches are those of the site over its own defaults", async () => {
  const settings = node();
  const defaults = { on: true, writes: false };
  expect((await settings.site()).module("billing", defaults)).toEqual(defaults);
  await settings.setSite({ "module:billing:writes": true, "module:crm:on": false });
  const effective = await settings.forUser("anna");
  expect(effective.module("billing", defaults)).toEqual({ on: true, writes: true });
  expect(effective.module("crm", defaults)).toEqual({ on: false, writes: false });
  expect(await settings.setSite({ "module:billing:writes": "yes" })).toEqual({ ok: false, reason: "out_of_bounds" });
  await settings.setSite({ "module:billing:writes": null });
  expect((await settings.site()).module("billing", defaults)).toEqual(defaults);
});

describe("what another node changed", () => {
  test("is seen a second later at the latest, and at once by a fresh read", async () => {
    let time = 0;
    // As when the listening connection is down: no notification comes.
    const deaf: Database = { ...db.database, listen: async () => async () => {} };
    const here = node({ database: deaf, now: () => time });
    const there = node({ database: other });
    expect((await here.site()).values.aiOn).toBe(true);
    await there.setSite({ aiOn: false });
    time = 999;
    expect((await here.site()).values.aiOn).toBe(true);
    expect((await here.site({ fresh: true })).values.aiOn).toBe(false);
    await there.setSite({ aiOn: true });
    time = 1_999;
    expect((await here.site()).values.aiOn).toBe(true);
  });

  test("is seen sooner by its notification", async () => {
    const here = node();
    const there = node({ database: other });
    const instructions = async (): Promise<string> => (await here.forUser("anna")).values.instructions;
    const seen = Promise.withResolvers<void>();
    // Of earlier tests a notification may still be on its way; the clock stands, so only one of this change helps.
    const look = async (): Promise<void> => void ((await instructions()) === "short" && seen.resolve());
    await db.database.listen("settings", () => void look());
    expect(await instructions()).toBe("");
    await there.setUser("anna", { instructions: "short" });
    await seen.promise;
    expect(await instructions()).toBe("short");
  });

  test("a node sees its own change at once", async () => {
    const settings = node();
    expect((await settings.site()).values.aiOn).toBe(true);
    await settings.setSite({ aiOn: false });
    expect((await settings.site()).values.aiOn).toBe(false);
  });
});

describe("a form", () => {
  test("shows what is set for the site or a user apart from what is inherited", async () => {
    const settings = node();
    await settings.setSite({ turnsPerHour: 20, aiOn: false });
    await settings.setSite({ aiOn: null });
    await settings.setUser("anna", { turnsPerHour: 30 }, { asAdmin: true });
    const site = await settings.readForm();
    expect(site.own).toEqual({ turnsPerHour: 20 });
    expect(site.versions).toEqual({ turnsPerHour: 1, aiOn: 2 });
    const user = await settings.readForm("anna");
    expect(user.own).toEqual({ turnsPerHour: 30 });
    expect(user.versions).toEqual({ turnsPerHour: 1 });
    expect(user.effective.values.turnsPerHour).toBe(30);
  });

  test("opened earlier never overwrites a newer value, set back or not, and leaves what it does not touch", async () => {
    const settings = node();
    const { versions } = await settings.readForm();
    await settings.setSite({ turnsPerHour: 20, turnsPerDay: 200 });
    await settings.setSite({ turnsPerHour: null });
    expect(await settings.saveForm({ changes: { turnsPerHour: 90, maxToolRounds: 3 }, versions })).toEqual({
      ok: false,
      reason: "changed_meanwhile",
      keys: ["turnsPerHour"],
    });
    expect(await settings.saveForm({ changes: { maxToolRounds: 4 }, versions })).toEqual({ ok: true });
    expect((await settings.site()).values).toMatchObject({ turnsPerHour: 60, turnsPerDay: 200, maxToolRounds: 4 });
  });

  test("of two saved at the same moment one is refused", async () => {
    const settings = node();
    const { versions } = await settings.readForm("anna");
    const outcomes = await Promise.all(
      [1, 2].map((userBudgetDay) => settings.saveForm({ userId: "anna", changes: { userBudgetDay }, versions })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });
});
