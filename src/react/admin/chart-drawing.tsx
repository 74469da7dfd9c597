import { useCallback, useId, useState } from "react";
import type { PointerEvent, ReactNode } from "react";
import { toLabelled, toTop } from "./chart-scale.ts";
import type { Tone } from "./parts.tsx";

export interface Series {
  readonly name: string;
  readonly tone: Exclude<Tone, "quiet">;
  readonly values: readonly number[];
}

interface ChartDrawingProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly kind: "bars" | "lines";
  readonly areCounts: boolean;
  readonly writeDay: (day: string) => string;
  readonly writeShort: (value: number) => string;
  /** The day that is pointed at. */
  readonly shown: number | null;
  readonly onShown: (index: number | null) => void;
}

const height = 168;
const edge = { left: 46, right: 4, top: 8, bottom: 22 };

/** Draws values by day. Series differ in their pattern too, not in colour alone; the words around it say what it says. */
export function ChartDrawing(props: ChartDrawingProps): ReactNode {
  const { days, series, kind, areCounts, writeDay, writeShort, shown, onShown } = props;
  const [width, measure] = useWidth();
  const hatch = useId();

  const totals = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = toTop(kind === "bars" ? totals : series.flatMap(({ values }) => values), { areCounts });
  const plot = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const step = plot.width / days.length;
  const xOf = (index: number): number => edge.left + step * (index + 0.5);
  const heightOf = (value: number): number => (value / top) * plot.height;
  const yOf = (value: number): number => edge.top + plot.height - heightOf(value);
  const barWidth = Math.max(1, Math.min(26, step * 0.72));
  const labelled = toLabelled(days.length, plot.width);

  const onMove = (event: PointerEvent<SVGSVGElement>): void => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - edge.left;
    const index = Math.floor(at / step);
    onShown(index >= 0 && index < days.length ? index : null);
  };

  const toBar = (index: number, order: number): ReactNode => {
    const { tone, values } = series[order] ?? { tone: "accent", values: [] };
    const value = values[index] ?? 0;
    if (value === 0) return null;
    const below = series.slice(0, order).reduce((all, one) => all + (one.values[index] ?? 0), 0);
    // What is there is seen, however little it is beside the rest.
    const tall = Math.max(1.5, heightOf(value));
    const place = { x: xOf(index) - barWidth / 2, y: yOf(below) - tall, width: barWidth, height: tall };
    return (
      <g key={`${order} ${index}`}>
        <rect data-tone={tone} {...place} rx={Math.min(2.5, barWidth / 3)} />
        {order > 0 && <rect {...place} fill={`url(#${hatch})`} />}
      </g>
    );
  };

  return (
    <svg
      ref={measure}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      focusable="false"
      onPointerMove={onMove}
      onPointerLeave={() => onShown(null)}
    >
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className="cs-hatch" x1="0" y1="0" x2="0" y2="5" />
      </pattern>
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
      {days.map((day, index) => {
        if (!labelled.has(index)) return null;
        const isLast = index === days.length - 1 && days.length > 1;
        return (
          <text
            key={day}
            x={isLast ? width - edge.right : xOf(index)}
            y={height - 5}
            textAnchor={isLast ? "end" : index === 0 ? "start" : "middle"}
          >
            {writeDay(day)}
          </text>
        );
      })}
      {kind === "bars"
        ? series.map((_, order) => days.map((_day, index) => toBar(index, order)))
        : series.map(({ name, tone, values }) => (
            <g key={name} data-tone={tone}>
              <polyline points={values.map((value, index) => `${xOf(index)},${yOf(value)}`).join(" ")} />
              {shown !== null && <circle cx={xOf(shown)} cy={yOf(values[shown] ?? 0)} r="3.5" />}
            </g>
          ))}
    </svg>
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
