import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onlyLonely } from '../../kit/chart/lonely-points.ts';
import { rangeShape } from '../../kit/chart/range.ts';
import { type Series, withGaps } from '../../kit/chart/series.ts';
import { numberTicks, timeTicks } from '../../kit/chart/ticks.ts';
import type { Window } from '../../kit/chart/time-window.ts';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { wallDate } from '../../ui/time/wall-date.ts';
import type { Band } from './alarm-bands.ts';
import {
  axisFont,
  LINE_WIDTH,
  type Palette,
  type PanelContent,
  paintAbove,
  paintBands,
  paletteOf,
  truncateText,
} from './chart-paint.ts';
import type { GestureState } from './gesture-state.ts';
import { type GestureContext, listenToGestures } from './gestures.ts';
import { axisRange, axisTextRoom, dashOf, type Panel, TIME_AXIS } from './lines.ts';

export interface PanelChartProps {
  panel: Panel;
  width: number;
  height: number;
  /** Width of the value axis, which is the same for all panels. */
  axisWidth: number;
  /** True for the last panel, which has the time axis. */
  last: boolean;
  /** Key of the group that the panel belongs to. Panels of the same group have a common cursor. */
  group: string;
  series: readonly Series[];
  compared: readonly Series[];
  bands: readonly Band[];
  window: Window;
  onWindow: (next: Window) => void;
  /** Gesture state. All panels share it, because they pan and zoom together. */
  gesture: GestureState;
  onReset: () => void;
  onCursor: (time: number | null) => void;
  wheelZooms: boolean;
  /** Time to which the user has moved the cursor with the keyboard, or null. */
  cursor: number | null;
  chartRef: (chart: uPlot | null) => void;
}

const NAMED_FROM = 620;

/** Chart of the lines in one panel, with limits and alarms. */
export function PanelChart(props: PanelChartProps) {
  const { panel, width, height, axisWidth, last, group, series, compared, bands, window, cursor } = props;
  const timeZone = useTimeZone();
  const scheme = useComputedColorScheme();
  const holder = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const named = width >= NAMED_FROM;
  const shape = JSON.stringify([panel.lines.map(({ limits: _, ...line }) => line), named, last, axisWidth]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: rebuilds the chart when its layout changes; the effects below update data, window and cursor.
  useEffect(() => {
    const box = holder.current;
    if (!box) return;
    const palette = paletteOf(box);
    const made = new uPlot(optionsOf(latest, palette, named, timeZone, group), dataOf(latest.current), box);
    chart.current = made;
    const forget = listenToGestures(made, gesturesOf(latest));
    latest.current.chartRef(made);
    return () => {
      forget();
      latest.current.chartRef(null);
      made.destroy();
      chart.current = null;
    };
  }, [shape, timeZone, scheme, group]);

  useEffect(() => chart.current?.setSize({ width, height }), [width, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `latest` is a ref; the data changes only with `series` and `compared`.
  useEffect(() => chart.current?.setData(dataOf(latest.current)), [series, compared]);
  useEffect(
    () => chart.current?.setScale('x', { min: window.from / 1000, max: window.to / 1000 }),
    [window.from, window.to],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawing the chart reads `bands` and `panel.lines`.
  useEffect(() => chart.current?.redraw(false), [bands, panel.lines]);
  useEffect(() => {
    const made = chart.current;
    if (!made || cursor === null) return;
    const left = made.valToPos(cursor / 1000, 'x');
    if (Math.abs((made.cursor.left ?? -10) - left) > 1) made.setCursor({ left, top: 1 }, false);
  }, [cursor]);
  return <div ref={holder} style={{ height }} data-unit={panel.unit} />;
}

type Latest = { readonly current: PanelChartProps };

function gesturesOf(latest: Latest): GestureContext {
  return {
    window: () => latest.current.window,
    now: () => now().getTime(),
    onWindow: (next) => {
      latest.current.gesture.move();
      latest.current.onWindow(next);
    },
    wheelZooms: () => latest.current.wheelZooms,
  };
}

/**
 * Returns four columns for each line: values, maxima, minima, and the values of the earlier period. For raw readings,
 * the maxima and minima are empty. The columns still exist, so that the chart is not rebuilt when a gesture switches
 * between readings and averages.
 */
function dataOf({ panel, series, compared }: PanelChartProps): uPlot.AlignedData {
  const tables = panel.lines.map(({ uuid }) => ({ own: tableOf(series, uuid), earlier: tableOf(compared, uuid) }));
  const there = tables.flatMap(({ own, earlier }) => [
    ...(own ? [own] : []),
    ...(earlier ? [[earlier[0], earlier[1]] as uPlot.AlignedData] : []),
  ]);
  // Exclude lines without values, because they have no times. uPlot can join the lines quickly only if all of them have
  // the same times.
  const [times, ...lists] = there.length > 0 ? uPlot.join(there) : [[]];
  let next = 0;
  const take = (count: number, present: boolean) => {
    const start = next;
    if (present) next += count;
    return Array.from({ length: count }, (_, index) => (present ? lists[start + index] : undefined) ?? []);
  };
  return [
    times as number[],
    ...tables.flatMap(({ own, earlier }) => [...take(3, own !== undefined), ...take(1, earlier !== undefined)]),
  ] as uPlot.AlignedData;
}

/**
 * Returns times, values, maxima and minima of a line; undefined if it has no values. For raw readings, the maxima and
 * minima are empty.
 */
function tableOf(all: readonly Series[], uuid: string): uPlot.AlignedData | undefined {
  const found = all.find((one) => one.uuid === uuid);
  if (!found || found.times.length === 0) return undefined;
  const { times, values, highs, lows, bucketMs } = withGaps(found);
  const seconds = times.map((time) => time / 1000);
  return bucketMs === null ? [seconds, values, [], []] : [seconds, values, highs, lows];
}

function optionsOf(latest: Latest, palette: Palette, named: boolean, timeZone: string, group: string): uPlot.Options {
  const { panel, width, height, last, axisWidth } = latest.current;
  const content = (): PanelContent => ({
    lines: latest.current.panel.lines,
    series: latest.current.series,
    bands: latest.current.bands,
    palette,
    named,
    moving: latest.current.gesture.moving,
  });
  const axis: uPlot.Axis = {
    stroke: palette.text,
    font: axisFont(palette),
    ticks: { show: false },
    border: { show: false },
  };
  const moving = (type: string) => type === 'mousemove' || type === 'mouseleave';
  return {
    width,
    height,
    padding: [panel.unit ? 20 : 10, named ? 120 : 18, last ? 0 : 8, 0],
    legend: { show: false },
    tzDate: (seconds) => wallDate(seconds * 1000, timeZone),
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      sync: { key: group, setSeries: false, filters: { pub: moving, sub: moving } },
      bind: {
        // Dragging with Shift pans. Dragging without Shift selects a range to zoom to.
        mousedown: (_chart, _target, handler) => (event) => (event.shiftKey ? null : handler(event)),
        dblclick: () => () => {
          latest.current.onReset();
          return null;
        },
      },
    },
    scales: {
      x: { time: true, range: () => [latest.current.window.from / 1000, latest.current.window.to / 1000] },
      y: {
        range: (_chart, least, most) =>
          panel.digital
            ? [-0.2, 1.2]
            : axisRange(
                least,
                most,
                latest.current.panel.lines.flatMap(({ limits }) => limits.map(({ value }) => value)),
              ),
      },
    },
    axes: [
      {
        ...axis,
        show: last,
        grid: { show: false },
        size: TIME_AXIS,
        space: 72,
        values: (_chart, ticks, _index, _space, step) => timeTicks(ticks, step, timeZone),
      },
      {
        ...axis,
        grid: { stroke: palette.grid, width: 1 },
        size: axisWidth,
        gap: 8,
        space: 36,
        ...(panel.digital
          ? { splits: () => [0, 1], values: (chart: uPlot) => stateTexts(chart, panel, palette, axisWidth) }
          : { values: (_chart: uPlot, ticks: number[]) => numberTicks(ticks) }),
      },
    ],
    series: linesIn(panel, palette, latest.current.gesture),
    hooks: {
      drawClear: [(chart) => setWidths(chart, latest.current.gesture)],
      drawAxes: [(chart) => paintBands(chart, content())],
      draw: [(chart) => paintAbove(chart, content())],
      setSelect: [
        (chart) => {
          const { left, width: chosen } = chart.select;
          if (chosen < 6) return;
          const at = (x: number) => Math.round(chart.posToVal(x, 'x') * 1000);
          const next = { from: at(left), to: at(left + chosen) };
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          latest.current.onWindow(next);
        },
      ],
      setCursor: [
        (chart) => {
          const { left = -10 } = chart.cursor;
          latest.current.onCursor(left < 0 ? null : Math.round(chart.posToVal(left, 'x') * 1000));
        },
      ],
    },
  };
}

/** Returns the names of the two states of a digital value, shortened to fit the axis. */
function stateTexts({ ctx }: uPlot, panel: Panel, palette: Palette, axisWidth: number): string[] {
  const { lowText = '', highText = '' } = panel.lines[0] ?? {};
  ctx.save();
  ctx.font = axisFont(palette);
  const texts = [lowText, highText].map((text) => truncateText(ctx, text, axisTextRoom(axisWidth)));
  ctx.restore();
  return texts;
}

/**
 * Number of uPlot series for each line, as returned by `dataOf`: values, maxima, minima, and values of the earlier
 * period.
 */
const LISTS = 4;

function linesIn(panel: Panel, palette: Palette, gesture: GestureState): uPlot.Series[] {
  const all: uPlot.Series[] = [{}];
  const paths = panel.digital && uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {};
  for (const line of panel.lines) {
    const stroke = palette.colour(line.colour);
    const dash = dashOf(line);
    all.push({
      stroke,
      width: LINE_WIDTH,
      points: { show: true, filter: onlyLonely, size: 5, fill: stroke },
      ...(dash.length > 0 ? { dash } : {}),
      ...paths,
    });
    const unseen = { width: 0, points: { show: false } };
    all.push({ ...unseen, fill: `${stroke}2e`, paths: (...where) => (gesture.moving ? null : rangeShape(...where)) });
    all.push({ ...unseen, paths: () => null });
    all.push({ stroke: `${stroke}80`, width: 1.25, dash: [3, 3], points: { show: false }, ...paths });
  }
  return all;
}

/** Sets the widths of the lines. During a gesture, lines are one pixel wide, because they can be drawn faster. */
function setWidths(chart: uPlot, { moving }: GestureState): void {
  for (const [index, line] of chart.series.entries()) if (index % LISTS === 1) line.width = moving ? 1 : LINE_WIDTH;
}
