import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { SaxesParser } from "saxes";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { ReadFault } from "./reading.ts";
import { isDateFormat, toColumn, type Cell, type CellContext } from "./xlsx-cell.ts";

export interface Sheet {
  readonly name: string;
  readonly part: string;
}

export interface Workbook extends CellContext {
  readonly sheets: readonly Sheet[];
  /** Reads a sheet's rows until `take` answers false. */
  readRows(sheet: Sheet, take: (row: readonly Cell[]) => boolean): Promise<void>;
  close(): void;
}

const mostParts = 5_000;
// What texts a sheet may name is not known before it is read: this many times the wanted text is kept at most.
const sharedFactor = 200;

/** Opens a workbook: its sheets, texts and date styles; rows are read later. Nothing is ever written by a part's name. */
export async function openWorkbook(path: string, characters: number): Promise<Workbook> {
  const zip = await openZip(path);
  const parts = await readParts(zip);
  const read = (part: string, hear: Hearing): Promise<void> => readPart(zip, parts.get(part), hear);
  const targets = new Map<string, string>();
  await read("xl/_rels/workbook.xml.rels", {
    open: (tag, { Id = "", Target = "" }) => void (tag === "Relationship" && targets.set(Id, toPart(Target))),
  });
  const sheets: Sheet[] = [];
  let from1904 = false;
  if (!parts.has("xl/workbook.xml")) throw new ReadFault("unreadable");
  await read("xl/workbook.xml", {
    open(tag, attributes) {
      if (tag === "workbookPr") from1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      const part = targets.get(attributes["r:id"] ?? attributes["id"] ?? "");
      if (tag === "sheet" && part !== undefined) sheets.push({ name: attributes["name"] ?? "", part });
    },
  });
  return {
    sheets,
    from1904,
    shared: await readShared(read, characters * sharedFactor),
    dateStyles: await readDateStyles(read),
    readRows: (sheet, take) => readRows(read, sheet, take),
    close: () => zip.close(),
  };
}

type Attributes = Readonly<Record<string, string>>;

/** What happens in a part. Answering false ends its reading. */
interface Hearing {
  open?(tag: string, attributes: Attributes): unknown;
  text?(text: string): unknown;
  close?(tag: string): unknown;
}

type Read = (part: string, hear: Hearing) => Promise<void>;

async function readShared(read: Read, most: number): Promise<readonly string[]> {
  const texts: string[] = [];
  let current = "";
  let isText = false;
  let isReading = false;
  let length = 0;
  await read("xl/sharedStrings.xml", {
    open(tag) {
      if (tag === "si") current = "";
      if (tag === "rPh") isReading = true;
      isText = tag === "t" && !isReading;
    },
    text(text) {
      if (isText) current += text;
    },
    close(tag) {
      if (tag === "t") isText = false;
      if (tag === "rPh") isReading = false;
      if (tag !== "si") return true;
      texts.push(current);
      return (length += current.length + 8) < most;
    },
  });
  return texts;
}

async function readDateStyles(read: Read): Promise<ReadonlySet<number>> {
  const codes = new Map<number, string>();
  const styles = new Set<number>();
  let isCell = false;
  let count = 0;
  await read("xl/styles.xml", {
    open(tag, { numFmtId = "", formatCode = "" }) {
      if (tag === "numFmt") codes.set(Number(numFmtId), formatCode);
      if (tag === "cellXfs") isCell = true;
      if (tag !== "xf" || !isCell) return;
      if (isDateFormat(Number(numFmtId), codes.get(Number(numFmtId)))) styles.add(count);
      count += 1;
    },
    close(tag) {
      if (tag === "cellXfs") isCell = false;
    },
  });
  return styles;
}

async function readRows(read: Read, sheet: Sheet, take: (row: readonly Cell[]) => boolean): Promise<void> {
  let row: Cell[] = [];
  let cell: { -readonly [Key in keyof Cell]: Cell[Key] } | null = null;
  let within: "value" | "formula" | null = null;
  await read(sheet.part, {
    open(tag, { r = "", t = "n", s = "0" }) {
      if (tag === "row") row = [];
      if (tag === "c") {
        const column = r === "" ? (row.at(-1)?.column ?? -1) + 1 : toColumn(r);
        cell = { column, name: r, type: t, style: Number(s), value: "", formula: "" };
        row.push(cell);
      }
      within = tag === "v" || tag === "t" ? "value" : tag === "f" ? "formula" : null;
    },
    text(text) {
      if (cell !== null && within !== null) cell[within] += text;
    },
    close(tag) {
      within = null;
      if (tag === "c") cell = null;
      return tag !== "row" || take(row);
    },
  });
}

async function readPart(zip: ZipFile, entry: Entry | undefined, hear: Hearing): Promise<void> {
  if (entry === undefined) return;
  const parser = new SaxesParser({ fragment: false });
  let wanted = true;
  const heard = (answer: unknown): void => {
    if (answer === false) wanted = false;
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => wanted && heard(hear.open?.(toLocal(name), attributes as Attributes)));
  parser.on("text", (text) => wanted && heard(hear.text?.(text)));
  parser.on("cdata", (text) => wanted && heard(hear.text?.(text)));
  parser.on("closetag", ({ name }) => wanted && heard(hear.close?.(toLocal(name))));
  const stream: Readable = await promisify(zip.openReadStream.bind(zip) as OpenStream)(entry);
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    parser.write(decoder.decode(chunk as Uint8Array, { stream: true }));
    if (!wanted) break;
  }
  if (wanted) parser.close();
}

type OpenStream = (entry: Entry, answer: (error: Error | null, stream: Readable) => void) => void;

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

function readParts(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const parts = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      if (parts.size >= mostParts) return reject(new ReadFault("too_large"));
      if (!parts.has(entry.fileName)) parts.set(entry.fileName, entry);
      return zip.readEntry();
    });
    zip.on("end", () => resolve(parts));
    zip.on("error", reject);
    zip.readEntry();
  });
}

/** A part's place, from how the workbook names it: from the root, or beside itself. */
function toPart(target: string): string {
  return target.startsWith("/") ? target.slice(1) : `xl/${target.replace(/^\.\//, "")}`;
}

function toLocal(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
