import { useId, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { useAdmin } from "./admin-context.ts";
import { ChartDrawing } from "./chart-drawing.tsx";
import type { Series } from "./chart-drawing.tsx";
import { toFormat } from "./format.ts";
import { Sheet } from "./sheet.tsx";

interface DayChartProps {
  readonly title: string;
  /** UTC days, oldest first; each series has a value for each. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** Bars stand on each other; lines stand beside each other. */
  readonly kind: "bars" | "lines";
  /** Values are whole numbers. */
  readonly areCounts?: boolean;
  readonly write: (value: number) => string;
  /** For the axis. */
  readonly writeShort: (value: number) => string;
}

/** Values by day, drawn, walked by the arrow keys, and written in a table behind the drawing. */
export function DayChart(props: DayChartProps): ReactNode {
  const { title, days, series, kind, areCounts = false, write, writeShort } = props;
  const { words } = useAdmin();
  const format = toFormat(words);
  const [shown, setShown] = useState<number | null>(null);
  const titleId = useId();
  const last = days.length - 1;

  const sum = series.reduce((all, { values }) => all + values.reduce((one, value) => one + value, 0), 0);
  const tell = (index: number): string => {
    const values = series.map(({ name, values: all }) => {
      const value = write(all[index] ?? 0);
      return series.length > 1 ? `${name} ${value}` : value;
    });
    return `${format.day(days[index] ?? "")}: ${values.join(" · ")}`;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const at = shown ?? last;
    const goal = new Map([
      ["ArrowLeft", at - 1],
      ["ArrowRight", at + 1],
      ["Home", 0],
      ["End", last],
    ]).get(event.key);
    if (goal === undefined) return;
    event.preventDefault();
    setShown(Math.max(0, Math.min(last, goal)));
  };

  return (
    <figure className="cs-chart cs-box" aria-labelledby={titleId}>
      <figcaption>
        <b id={titleId}>{title}</b>
        <span>{shown === null || shown > last ? words.overview.total(write(sum)) : tell(shown)}</span>
      </figcaption>
      <div
        className="cs-plot"
        role="slider"
        tabIndex={0}
        aria-labelledby={titleId}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={Math.min(shown ?? last, last)}
        aria-valuetext={tell(Math.min(shown ?? last, last))}
        onKeyDown={onKeyDown}
        onFocus={() => setShown((before) => before ?? last)}
        onBlur={() => setShown(null)}
      >
        <ChartDrawing
          days={days}
          series={series}
          kind={kind}
          areCounts={areCounts}
          writeDay={format.day}
          writeShort={writeShort}
          shown={shown === null || shown > last ? null : shown}
          onShown={setShown}
        />
      </div>
      {series.length > 1 && (
        <ul className="cs-legend" data-kind={kind}>
          {series.map(({ name, tone }) => (
            <li key={name} data-tone={tone}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{words.overview.asTable}</summary>
        <Sheet
          label={title}
          isNarrow
          hasRowNames
          columns={[
            { title: words.overview.day },
            ...series.map(({ name }) => ({ title: name, kind: "number" as const })),
          ]}
          rows={days
            .map((day, index) => ({
              key: day,
              cells: [format.day(day), ...series.map(({ values }) => write(values[index] ?? 0))],
            }))
            .toReversed()}
        />
      </details>
    </figure>
  );
}
