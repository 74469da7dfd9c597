import { openWorkbook } from "./xlsx-parts.ts";
import { createCollector, type Collector, type ReadText } from "./reading.ts";
import { toCellText } from "./xlsx-cell.ts";

/** Reads a workbook sheet by sheet and row by row, as far as it fits: cells with tabs between, and no cell that is not there. */
export async function readXlsx(path: string, characters: number): Promise<ReadText> {
  const collector = createCollector(characters);
  const workbook = await openWorkbook(path, characters);
  try {
    for (const sheet of workbook.sheets) {
      if (collector.full) break;
      collector.add(`[sheet ${JSON.stringify(sheet.name)}]\n`);
      await workbook.readRows(sheet, (row) =>
        addRow(
          collector,
          row.map((cell) => ({ ...cell, text: toCellText(cell, workbook) })),
        ),
      );
      collector.add("\n");
    }
  } finally {
    workbook.close();
  }
  const { text, cut } = collector.end();
  return { text: text.trimEnd(), cut };
}

// A row with far gaps names its cells instead of filling them up.
const widestGap = 20;

/** False once no more rows are wanted. */
function addRow(
  collector: Collector,
  cells: readonly { readonly column: number; readonly name: string; readonly text: string }[],
): boolean {
  const filled = cells.filter(({ text }) => text !== "");
  if (filled.length === 0) return true;
  let last = -1;
  const texts = filled.map(({ column, name, text }) => {
    const gap = column - last - 1;
    const lead = gap > widestGap ? `${last < 0 ? "" : "\t"}${name}: ` : "\t".repeat(last < 0 ? gap : gap + 1);
    last = column;
    return lead + text.replaceAll(/[\t\r\n]+/g, " ");
  });
  return collector.add(`${texts.join("")}\n`);
}
