import { expect, test } from "vitest";
import { toGroups } from "../../src/react/admin/limit-form.ts";
import { en } from "../../src/react/admin/words/en.ts";
import { ru } from "../../src/react/admin/words/ru.ts";
import { problems } from "../../src/http/problem.ts";
import { settingsSchema } from "../../src/settings/schema.ts";

const ofAdmins = Object.entries(settingsSchema)
  .filter(([, { setBy }]) => setBy === "admin")
  .map(([key]) => key);

test.each([en, ru])("every setting of an administrator has its words: $code", ({ limits }) => {
  expect(ofAdmins.filter((key) => !(key in limits.fields))).toEqual([]);
  expect(Object.keys(limits.fields).filter((key) => !ofAdmins.includes(key))).toEqual([]);
});

test("every field of a form stands in a group", () => {
  const field = { type: "number", optional: false, unit: null, min: 0, max: 1, describe: "", own: null } as const;
  const rest = { isSet: false, effective: 0, inherited: 0, version: 0 };
  const groups = toGroups([...ofAdmins, "yet.unknown"].map((key) => ({ ...field, ...rest, key })));
  expect(groups.flatMap(([, fields]) => fields)).toHaveLength(ofAdmins.length + 1);
});

test.each([en, ru])("a failure has its sentence, and each sentence its failure: $code", ({ failures }) => {
  const own = ["offline", "unreadable", "other"];
  expect(Object.keys(failures).filter((code) => !(code in problems) && !own.includes(code))).toEqual([]);
});
