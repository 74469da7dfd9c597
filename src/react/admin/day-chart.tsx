import { useCallback, useId, useState } from "react";
import type { PointerEvent, ReactNode } from "react";
import { useAdmin } from "./admin-context.ts";
import { toLabelled, toTop } from "./chart-scale.ts";
import { toFormat } from "./format.ts";
import { Sheet } from "./parts.tsx";
import type { Tone } from "./parts.tsx";

export interface Series {
  readonly name: string;
  readonly tone: Exclude<Tone, "quiet">;
  readonly values: readonly number[];
}

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

const height = 168;
const edge = { left: 46, right: 4, top: 8, bottom: 22 };

/** Values by day, drawn, and written in a table behind the drawing. */
export function DayChart(props: DayChartProps): ReactNode {
  const { title, days, series, kind, areCounts = false, write, writeShort } = props;
  const { words } = useAdmin();
  const format = toFormat(words);
  const [width, measure] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const titleId = useId();

  const totals = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = toTop(kind === "bars" ? totals : series.flatMap(({ values }) => values), { areCounts });
  const plot = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const step = plot.width / days.length;
  const xOf = (index: number): number => edge.left + step * (index + 0.5);
  const heightOf = (value: number): number => (value / top) * plot.height;
  const yOf = (value: number): number => edge.top + plot.height - heightOf(value);
  const barWidth = Math.max(1, Math.min(26, step * 0.72));
  const labelled = toLabelled(days.length, plot.width);
  const sum = totals.reduce((all, value) => all + value, 0);

  const onMove = (event: PointerEvent<SVGSVGElement>): void => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - edge.left;
    const index = Math.floor(at / step);
    setShown(index >= 0 && index < days.length ? index : null);
  };
  const shownDay = shown === null ? undefined : days[shown];
  const told =
    shown === null || shownDay === undefined
      ? words.overview.total(write(sum))
      : `${format.day(shownDay)}: ${series.map(({ values }) => write(values[shown] ?? 0)).join(" · ")}`;

  return (
    <figure className="cs-chart cs-box" aria-labelledby={titleId}>
      <figcaption>
        <b id={titleId}>{title}</b>
        <span>{told}</span>
      </figcaption>
      <svg
        ref={measure}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        focusable="false"
        onPointerMove={onMove}
        onPointerLeave={() => setShown(null)}
      >
        {shown !== null && (
          <rect className="cs-band" x={xOf(shown) - step / 2} y={edge.top} width={step} height={plot.height} />
        )}
        {[0, top / 2, top].map((tick) => (
          <g key={tick}>
            <line className="cs-gridline" x1={edge.left} x2={width - edge.right} y1={yOf(tick)} y2={yOf(tick)} />
            <text x={edge.left - 7} y={yOf(tick) + 4} textAnchor="end">
              {writeShort(tick)}
            </text>
          </g>
        ))}
        {days.map((day, index) =>
          labelled.has(index) ? (
            <text
              key={day}
              x={index === days.length - 1 && days.length > 1 ? width - edge.right : xOf(index)}
              y={height - 5}
              textAnchor={index === days.length - 1 && days.length > 1 ? "end" : index === 0 ? "start" : "middle"}
            >
              {format.day(day)}
            </text>
          ) : null,
        )}
        {kind === "bars"
          ? series.map(({ name, tone, values }, order) =>
              days.map((day, index) => {
                const value = values[index] ?? 0;
                if (value === 0) return null;
                const below = series.slice(0, order).reduce((all, one) => all + (one.values[index] ?? 0), 0);
                // What is there is seen, however little it is beside the rest.
                const tall = Math.max(1.5, heightOf(value));
                return (
                  <rect
                    key={`${name} ${day}`}
                    data-tone={tone}
                    x={xOf(index) - barWidth / 2}
                    y={yOf(below) - tall}
                    width={barWidth}
                    height={tall}
                    rx={Math.min(2.5, barWidth / 3)}
                  />
                );
              }),
            )
          : series.map(({ name, tone, values }) => (
              <g key={name} data-tone={tone}>
                <polyline points={values.map((value, index) => `${xOf(index)},${yOf(value)}`).join(" ")} />
                {shown !== null && <circle cx={xOf(shown)} cy={yOf(values[shown] ?? 0)} r="3.5" />}
              </g>
            ))}
      </svg>
      {series.length > 1 && (
        <ul className="cs-legend">
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
          columns={[
            { title: words.overview.day },
            ...series.map(({ name }) => ({ title: name, kind: "number" as const })),
          ]}
        >
          {days.toReversed().map((day, index) => (
            <tr key={day}>
              <th scope="row">{format.day(day)}</th>
              {series.map(({ name, values }) => (
                <td key={name} className="cs-number">
                  {write(values[days.length - 1 - index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </Sheet>
      </details>
    </figure>
  );
}

/** The width of an element as it is now; a usual one until it is known. */
function useWidth(): readonly [number, (element: Element | null) => (() => void) | undefined] {
  const [width, setWidth] = useState(480);
  const measure = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, measure];
}
