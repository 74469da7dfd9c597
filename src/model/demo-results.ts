import { demoSentences, type DemoLanguage } from "./demo-sentences.ts";

type Row = Readonly<Record<string, unknown>>;

const mostRows = 15;
const mostColumns = 6;

/** A short answer from what the tools gave: a table for rows, a list for one thing, the words themselves otherwise. */
export function answerFromResults(results: readonly string[], language: DemoLanguage): string {
  return results.map((result) => answerOne(result, language)).join("\n\n");
}

/** The rows in a result: an array, or the first array in an object; null when it holds none. */
export function readRows(result: string): readonly Row[] | null {
  const value = parse(result);
  const list = Array.isArray(value) ? value : Object.values(isRow(value) ? value : {}).find(Array.isArray);
  return Array.isArray(list) ? list.filter(isRow) : null;
}

function answerOne(result: string, language: DemoLanguage): string {
  const say = demoSentences[language];
  const rows = readRows(result);
  if (rows !== null) {
    if (rows.length === 0) return say.nothingFound;
    const left = rows.length - mostRows;
    const table = toTable(rows.slice(0, mostRows));
    const more = left > 0 ? [say.more(left)] : [];
    return [say.found(rows.length), table, ...more, ...besideRows(parse(result))].join("\n\n");
  }
  const value = parse(result);
  if (isRow(value)) {
    const lines = Object.entries(value).filter(([, field]) => isPlain(field));
    return `${say.done}\n\n${lines.map(([key, field]) => `- **${toLabel(key)}**: ${toCell(field)}`).join("\n")}`;
  }
  return say.toolSaid(result.slice(0, 500));
}

/** Figures that stand beside the rows: a total, say. */
function besideRows(value: unknown): readonly string[] {
  if (!isRow(value)) return [];
  const fields = Object.entries(value).filter(([, field]) => isPlain(field) && field !== null);
  return fields.map(([key, field]) => `**${toLabel(key)}**: ${toCell(field)}`);
}

function toTable(rows: readonly Row[]): string {
  const first = rows[0] ?? {};
  const columns = Object.keys(first)
    .filter((key) => key !== "id" && rows.some((row) => isPlain(row[key]) && row[key] !== null))
    .slice(0, mostColumns);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(toLabel)),
    line(columns.map((key) => (typeof first[key] === "number" ? "---:" : "---"))),
    ...rows.map((row) => line(columns.map((key) => toCell(row[key])))),
  ].join("\n");
}

function toLabel(key: string): string {
  const words = key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One line that cannot break out of its cell. */
function toCell(value: unknown): string {
  if (!isPlain(value) || value === null) return "";
  return String(value).replace(/\s+/g, " ").replaceAll("|", "\\|");
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
