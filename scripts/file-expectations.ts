import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** How the upload of one file ended. */
export interface FileEnd {
  readonly type: string | null;
  readonly state: string;
  readonly code: string | null;
  readonly ms: number;
  /** Of the process that read it. */
  readonly peak_mb: number | null;
  readonly text: string | null;
}

/** What the manifest beside a folder says of its files, by file name; null without a manifest. */
export async function expectationsOf(folder: string): Promise<ReadonlyMap<string, string> | null> {
  const text = await readFile(join(dirname(folder), "MANIFEST.tsv"), "utf8").catch(() => null);
  if (text === null) return null;
  const [header = "", ...lines] = text.split("\n");
  const columns = header.split("\t");
  const cell = (cells: readonly string[], name: string): string => cells[columns.indexOf(name)] ?? "";
  const rows = lines.map((line) => line.split("\t"));
  return new Map(
    rows.flatMap((cells) => {
      const file = cell(cells, "file");
      const expected = /\| expected: (.*)$/.exec(cell(cells, "what_it_shows"))?.[1];
      return dirname(file) === basename(folder) && expected !== undefined ? [[basename(file), expected] as const] : [];
    }),
  );
}

const codes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/file_encrypted/, ["encrypted"]],
  [/file_empty/, ["file_empty"]],
  [/image_broken/, ["unreadable"]],
];

/** Whether a file ended as its expectation says, in the words of the manifest: what it accepts is ready, what it refuses failed with the code it names, and what may be either only ended. */
export function isAsExpected(end: FileEnd, expected: string): boolean {
  const isReady = end.state === "ready" && end.code === null;
  const isRefused =
    (end.state === "failed" || end.state === "refused") && end.code !== null && end.code !== "interrupted";
  const code = codes.find(([named]) => named.test(expected))?.[1];
  if (code !== undefined) return isRefused && code.includes(end.code ?? "");
  if (
    /accept or|or accept|or repair|or list|strip or|decode or|convert or|escape on|treat as|no crash|do not recurse|never|no network|must not|cut for|limit the|trust bytes|show as|read sparse|^-$/.test(
      expected,
    )
  ) {
    return isReady || isRefused;
  }
  if (expected.startsWith("refuse")) return isRefused;
  if (/not mojibake|decode right/.test(expected)) return isReady && /[а-яё]{3}/i.test(end.text ?? "");
  return isReady;
}
