/** A value as a cell of a CSV file (RFC 4180). */
export type CsvValue = string | number | null;

// A text that begins so would be run as a formula by programs that open such files.
const formula = /^[\s]*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;

/** One cell. A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay numbers. */
export function toCsvCell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function toCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(toCsvCell).join(",")}\r\n`;
}

/**
 * A CSV file as a stream, page after page, each read only when its reader is ready for it. A page that cannot be read
 * breaks the stream off: a file that ends well is whole.
 */
export function toCsvStream<Row>(file: {
  readonly columns: readonly string[];
  readonly toValues: (row: Row) => readonly CsvValue[];
  /** Rows, and where the next page begins; null at the end. */
  readonly read: (
    before: string | undefined,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;
}): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before: string | null | undefined;
  let started = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!started) {
          started = true;
          // The mark by which spreadsheets know UTF-8.
          controller.enqueue(encoder.encode(`\uFEFF${toCsvLine(file.columns)}`));
          return;
        }
        // A page without rows is no reason to stop, and a pull that hands over nothing would not be asked again.
        while (before !== null) {
          const page = await file.read(before);
          before = page.next;
          if (page.rows.length === 0) continue;
          controller.enqueue(encoder.encode(page.rows.map((row) => toCsvLine(file.toValues(row))).join("")));
          return;
        }
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
