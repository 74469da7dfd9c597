import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toFileName } from "./file-name.ts";

const names: readonly (readonly [given: string, shown: string])[] = [
  ["report.pdf", "report.pdf"],
  ["Отчёт за ноябрь.xlsx", "Отчёт за ноябрь.xlsx"],
  ["../../etc/passwd", "passwd"],
  ["..\\..\\windows\\win.ini", "win.ini"],
  ["/absolute/path.txt", "path.txt"],
  ["C:\\Users\\x\\photo.jpg", "photo.jpg"],
  ["..", "file"],
  [".", "file"],
  ["", "file"],
  ["   ", "file"],
  ["folder/", "file"],
  [".htaccess", "htaccess"],
  ["a\0.pdf", "a.pdf"],
  ["invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["zero\u200Bwidth\uFEFF.txt", "zerowidth.txt"],
  ["line\r\nbreak: header.txt", "linebreak_ header.txt"],
  ["CON", "_CON"],
  ["nul.txt", "_nul.txt"],
  ["com1.log", "_com1.log"],
  ["console.txt", "console.txt"],
  ['quote".txt', "quote_.txt"],
  ["<script>.html", "_script_.html"],
  ["lone\uD800surrogate", "lone\uFFFDsurrogate"],
  ["trailing. . .", "trailing"],
  ["many     spaces.txt", "many spaces.txt"],
  ["no-break\u00a0space.txt", "no-break space.txt"],
];

describe("A file's name", () => {
  test.each(names)("%j is shown as %j", (given, shown) => {
    expect(toFileName(given)).toBe(shown);
  });

  test("is cut when it is long, and keeps its ending", () => {
    const name = toFileName(`${"x".repeat(5_000)}.docx`);
    expect([...name]).toHaveLength(120);
    expect(name).toMatch(/…\.docx$/);
    expect([...toFileName("🙂".repeat(500))]).toHaveLength(120);
  });

  test("is one line without a path, whatever is sent, and stays what it is when it is made safe again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), (given) => {
        const name = toFileName(given);
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(name.length).toBeGreaterThan(0);
        expect(name.isWellFormed()).toBe(true);
        expect(toFileName(name)).toBe(name);
      }),
    );
  });
});
