import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCsvCell, toCsvLine, toCsvStream, type CsvValue } from "./csv.ts";

/** Reads a file as RFC 4180 says, by itself. */
function read(file: string): readonly (readonly string[])[] {
  const rows: string[][] = [[""]];
  let quoted = false;
  const add = (text: string): void => void rows.at(-1)?.push((rows.at(-1)?.pop() ?? "") + text);
  for (let at = 0; at < file.length; at += 1) {
    const letter = file[at] ?? "";
    if (quoted) {
      if (letter !== '"') add(letter);
      else if (file[at + 1] === '"') add(file[(at += 1)] ?? "");
      else quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === ",") rows.at(-1)?.push("");
    else if (letter === "\r" && file[at + 1] === "\n") {
      at += 1;
      rows.push([""]);
    } else add(letter);
  }
  return rows.slice(0, -1);
}

const dangerous = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  " =1",
  "\n=1",
  "\u00A0=1",
  "＝1",
  "＋1",
  "－1",
  "＠A",
  '="a",1',
];

describe("A file of cells", () => {
  test.each(dangerous)("a text that a spreadsheet would run has an apostrophe before it: %j", (text) => {
    expect(read(toCsvLine([text]))).toEqual([[`'${text}`]]);
  });

  test("a number stays one, below nothing too; nothing is an empty cell", () => {
    expect([-5, 0, 1.5, null].map(toCsvCell)).toEqual(["-5", "0", "1.5", ""]);
  });

  test("commas, quotes and line ends of any text come out as they went in", () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "=", "a") }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 5 }), (rows) => {
        const back = read(rows.map((row) => toCsvLine(row)).join(""));
        expect(back.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const [at, row] of rows.entries()) {
          for (const [index, text] of row.entries()) {
            const got = back[at]?.[index] ?? "";
            expect(got === text || got === `'${text}`).toBe(true);
            expect(got).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
          }
        }
      }),
    );
  });

  test("is read page by page to its end, also over a page without rows", async () => {
    const pages: readonly (readonly CsvValue[])[] = [["a"], [], ["b, c"]];
    const stream = toCsvStream<CsvValue>({
      columns: ["text"],
      toValues: (value) => [value],
      read: async (before) => {
        const at = Number(before ?? 0);
        return { rows: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null };
      },
    });
    const bytes = Buffer.from(await new Response(stream).arrayBuffer());
    expect(bytes.toString("utf8")).toBe('\uFEFFtext\r\na\r\n"b, c"\r\n');
  });
});
