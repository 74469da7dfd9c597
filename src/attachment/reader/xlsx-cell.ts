/** A cell as the sheet writes it. */
export interface Cell {
  /** Counted from 0. */
  readonly column: number;
  /** `B7`, say. */
  readonly name: string;
  readonly type: string;
  readonly style: number;
  readonly value: string;
  /** The formula, where there is one. */
  readonly formula: string;
}

export interface CellContext {
  /** Texts that cells name by number. */
  readonly shared: readonly string[];
  /** Which styles show a number as a date or a time. */
  readonly dateStyles: ReadonlySet<number>;
  /** Days are counted from 1904. */
  readonly from1904: boolean;
}

/** What a person sees in the cell, near enough; a formula that was never worked out is shown as itself. */
export function toCellText(cell: Cell, context: CellContext): string {
  const { type, value, formula } = cell;
  if (type === "s") return context.shared[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "str" || type === "inlineStr" || type === "e" || type === "d")
    return value === "" && formula !== "" ? `=${formula}` : value;
  if (value === "") return formula === "" ? "" : `=${formula}`;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  return context.dateStyles.has(cell.style) ? toDate(number, context.from1904) : toPlainNumber(number);
}

/** Without the last digits, which only say how the number is kept: 0.30000000000000004 was written as 0.3. */
function toPlainNumber(number: number): string {
  return String(Number(number.toPrecision(15)));
}

const dayMs = 86_400_000;
/** Day 0 of the count; the count of 1900 has a 29 February that never was, which this day makes up for. */
const day0 = Date.UTC(1899, 11, 30);
const day0From1904 = Date.UTC(1904, 0, 1);

function toDate(days: number, from1904: boolean): string {
  const time = new Date((from1904 ? day0From1904 : day0) + Math.round(days * 86_400) * 1_000);
  if (Number.isNaN(time.getTime())) return String(days);
  const [date = "", clock = ""] = time.toISOString().split(/T|\.000Z/);
  if (days >= 0 && days < 1) return clock;
  return time.getTime() % dayMs === 0 ? date : `${date} ${clock}`;
}

/** Whether a number format shows a date or a time. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);
  const plain = code.replaceAll(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*./gi, "");
  return !/general/i.test(plain) && /[ymdhs]/i.test(plain);
}

/** The column of a cell's name, counted from 0. */
export function toColumn(name: string): number {
  let column = 0;
  for (const letter of name.replace(/\d+$/, "").toUpperCase()) column = column * 26 + (letter.charCodeAt(0) - 64);
  return column - 1;
}
