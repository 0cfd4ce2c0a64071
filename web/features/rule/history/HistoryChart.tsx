import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onlyLonely } from '../../../kit/chart/lonely-points.ts';
import { withGaps } from '../../../kit/chart/series.ts';
import { numberTicks } from '../../../kit/chart/ticks.ts';
import { formatNumber } from '../../../kit/format/number.ts';
import { dateFormat } from '../../../ui/formats.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { wallDate } from '../../../ui/time/wall-date.ts';
import { drawLimits, paletteOf } from './chart-paint.ts';
import { roundedStep, valueRange } from './chart-scale.ts';
import classes from './HistoryChart.module.css';
import type { History, Range } from './history.queries.ts';

export type Side = 'valueLower' | 'valueUpper';

interface HistoryChartProps {
  history: History;
  range: Range;
  lower: number | null;
  upper: number | null;
  unit: string;
  /** Called when the user drags a limit or moves it with the keyboard. */
  onLimit: (side: Side, value: number) => void;
}

const HEIGHT = 300;

/** Chart of a data point's history with limits that the user can drag. Values beyond a limit are red. */
export default function HistoryChart({ history, range, lower, upper, unit, onLimit }: HistoryChartProps) {
  const timeZone = useTimeZone();
  const scheme = useComputedColorScheme();
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const limits = useRef({ lower, upper });
  limits.current = { lower, upper };
  const held = useRef<[number, number] | null>(null);
  const [places, setPlaces] = useState<{ lower: number | null; upper: number | null }>({ lower: null, upper: null });

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the colour scheme changes, the colours must be read again.
  useEffect(() => {
    const box = holder.current;
    if (!box) return;
    const palette = paletteOf(box);
    const axis = { stroke: palette.text, font: palette.font, ticks: { show: false }, border: { show: false } };
    const chart = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        padding: [12, 0, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        tzDate: (time) => wallDate(time * 1000, timeZone),
        scales: {
          x: { time: true, range: () => [Date.parse(range.from) / 1000, Date.parse(range.to) / 1000] },
          y: {
            // Keep the scale of the chart fixed while the user drags a limit.
            range: (_, least, most) =>
              held.current ?? valueRange(least, most, limits.current.lower, limits.current.upper),
          },
        },
        axes: [
          { ...axis, grid: { show: false }, size: 28, space: 72, values: dayTicks(timeZone) },
          {
            ...axis,
            grid: { stroke: palette.grid, width: 1 },
            size: 48,
            gap: 8,
            space: 40,
            values: (_, ticks) => numberTicks(ticks),
          },
        ],
        series: [
          {},
          { stroke: 'transparent', points: { show: false } },
          { stroke: 'transparent', points: { show: false } },
          {
            stroke: palette.line,
            width: 1.25,
            points: { show: true, filter: onlyLonely, size: 6, fill: palette.line },
          },
        ],
        bands: [{ series: [1, 2], fill: palette.band }],
        hooks: {
          draw: [
            (u) => {
              drawLimits(u, limits.current, palette, history.raw);
              const placeOf = (limit: number | null) =>
                limit === null ? null : Math.round(u.valToPos(limit, 'y') + u.over.offsetTop);
              const next = { lower: placeOf(limits.current.lower), upper: placeOf(limits.current.upper) };
              setPlaces((before) => (before.lower === next.lower && before.upper === next.upper ? before : next));
            },
          ],
        },
      },
      dataOf(history),
      box,
    );
    plot.current = chart;
    const observer = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: HEIGHT }));
    observer.observe(box);
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [history, range.from, range.to, timeZone, scheme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawing the chart reads the current limits.
  useEffect(() => {
    // Setting the same data again updates the chart's scale, which must include the limits.
    plot.current?.setData(dataOf(history));
  }, [lower, upper]);

  const move = (side: Side, value: number) => onLimit(side, roundedStep(value, spanOf(plot.current)));
  const drag = (side: Side) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      const scale = plot.current?.scales.y;
      held.current = scale ? [scale.min ?? 0, scale.max ?? 1] : null;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const chart = plot.current;
      if (!chart || !held.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
      const area = chart.over.getBoundingClientRect();
      const y = Math.max(0, Math.min(area.height, event.clientY - area.top));
      move(side, chart.posToVal(y, 'y'));
    },
    onPointerUp: () => {
      held.current = null;
      plot.current?.setData(dataOf(history));
    },
    onKeyDown: (event: KeyboardEvent) => {
      const value = side === 'valueUpper' ? upper : lower;
      if (value === null || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      event.preventDefault();
      const step = (spanOf(plot.current) / 100) * (event.shiftKey ? 10 : 1);
      move(side, value + (event.key === 'ArrowUp' ? step : -step));
    },
  });
  return (
    <div className={classes.chart}>
      <div className={classes.unit}>{unit}</div>
      <div
        ref={holder}
        className={classes.plot}
        role="img"
        aria-label={`History in ${unit || 'values'}, with limits`}
      />
      <Handle name="Upper" value={upper} place={places.upper} {...drag('valueUpper')} />
      <Handle name="Lower" value={lower} place={places.lower} {...drag('valueLower')} />
    </div>
  );
}

interface HandleProps {
  name: string;
  value: number | null;
  place: number | null;
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  onPointerUp: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Handle({ name, value, place, ...events }: HandleProps) {
  if (value === null || place === null) return null;
  return (
    <div
      className={classes.handle}
      style={{ top: place }}
      role="slider"
      tabIndex={0}
      aria-label={`${name} limit`}
      aria-orientation="vertical"
      aria-valuenow={value}
      {...events}
    >
      {name} {formatNumber(value)}
    </div>
  );
}

/** Returns the data of the chart, with gaps at the same places as in a trend. */
function dataOf(history: History): uPlot.AlignedData {
  const seen = (values: number[]) => values.map((value) => (Number.isFinite(value) ? value : null));
  const { times, values, lows, highs } = withGaps({
    uuid: '',
    times: history.times.map((time) => time * 1000),
    values: seen(history.means),
    lows: seen(history.lowest),
    highs: seen(history.highest),
    bucketMs: null,
  });
  return [times.map((time) => time / 1000), highs, lows, values];
}

function spanOf(chart: uPlot | null): number {
  const scale = chart?.scales.y;
  return Math.abs((scale?.max ?? 1) - (scale?.min ?? 0)) || 1;
}

/** Returns the tick labels: the date at midnight, otherwise the time of day. */
function dayTicks(timeZone: string): uPlot.Axis.DynamicValues {
  const day = dateFormat(undefined, { timeZone, day: 'numeric', month: 'short' });
  const hour = dateFormat(undefined, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (_, ticks) =>
    ticks.map((tick) => {
      const at = new Date(tick * 1000);
      const clock = hour.format(at);
      return clock === '00:00' || clock === '24:00' ? day.format(at) : clock;
    });
}
