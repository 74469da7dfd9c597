import { describe, expect, test } from "vitest";
import { roomNames, rooms } from "../../scripts/rooms.ts";
import { filesOf, isTest, read } from "./source-files.ts";

const owners = new Map<string, string>(roomNames.flatMap((room) => rooms[room].owns.map((table) => [table, room])));

/** The tables a text of SQL names where a table can stand: after from, join, into, update, using, and in their lists. */
function tablesIn(text: string): readonly string[] {
  const table = String.raw`(?:only\s+|lateral\s+)?[\w".]+(?:\s+(?:as\s+)?\w+)?`;
  // Looked ahead, not taken: what reads like an alias may be the next keyword.
  const places = new RegExp(String.raw`\b(?:from|join|into|update|using)\s+(?=(${table}(?:\s*,\s*${table})*))`, "gi");
  return [...text.replaceAll(/--.*$/gm, "").matchAll(places)]
    .flatMap((match) => (match[1] ?? "").split(","))
    .map((entry) => entry.trim().replace(/^(only|lateral)\s+/i, ""))
    .map((entry) => (entry.split(/\s/)[0] ?? "").replaceAll('"', "").replace(/^\w+\./, ""))
    .filter((name) => owners.has(name));
}

/** Whatever is written with the `sql` tag. */
const statementsOf = (source: string): readonly string[] =>
  [...source.matchAll(/\bsql(?:<[^`]*>)?`([^`]*)`/g)].map((match) => match[1] ?? "");

const shipped = filesOf("src/**/*.{ts,tsx}").filter((file) => !isTest(file));
const roomOf = (file: string): string => file.split("/")[1]?.replace(/\.tsx?$/, "") ?? "";

describe("A table has one owner room", () => {
  test("each table the migrations make belongs to exactly one room, and no room owns a table that is not made", () => {
    const made = filesOf("src/database/migrations/*.sql").flatMap((file) =>
      [...read(file).matchAll(/^\s*create table (?:if not exists )?(\w+)/gim)].map((match) => match[1] ?? ""),
    );
    const owned = roomNames.flatMap((room) => [...rooms[room].owns]);
    expect(owned.length).toBe(new Set(owned).size);
    const later = ["migrations", "attachments"];
    expect(made.filter((table) => !later.includes(table)).toSorted()).toEqual(
      owned.filter((table) => !later.includes(table)).toSorted(),
    );
  });

  test("no other room names it in SQL", () => {
    const trespasses = shipped.flatMap((file) =>
      statementsOf(read(file))
        .flatMap(tablesIn)
        .filter((table) => owners.get(table) !== roomOf(file))
        .map((table) => `${file} names ${table} of ${owners.get(table)}`),
    );
    expect(trespasses).toEqual([]);
  });

  test("a statement over a foreign table is seen in every place a table can stand", () => {
    expect(tablesIn("select * from turns t, locks as l where t.user_id = l.user_id")).toEqual(["turns", "locks"]);
    expect(tablesIn("with ended as (update turns set how = $1 returning *) select * from ended")).toEqual(["turns"]);
    expect(tablesIn('insert into "countersign"."messages" (id) select 1')).toEqual(["messages"]);
    expect(tablesIn("delete from only rates using confirmations c where c.id = $1")).toEqual([
      "rates",
      "confirmations",
    ]);
    expect(tablesIn("select * from messages join conversations c on true")).toEqual(["messages", "conversations"]);
    expect(tablesIn("select x from lateral (select 1) q left join spend on true")).toEqual(["spend"]);
    expect(tablesIn("insert into other (id) values ($1) on conflict do update set turns = 1 -- from flags")).toEqual(
      [],
    );
  });

  test("statements stand in the `.sql.ts` files of their room", () => {
    const astray = shipped.filter(
      (file) => roomOf(file) !== "database" && !file.endsWith(".sql.ts") && statementsOf(read(file)).length > 0,
    );
    expect(astray).toEqual([]);
  });
});
