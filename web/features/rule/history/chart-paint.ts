import type uPlot from 'uplot';
import { onlyLonely } from '../../../kit/chart/lonely-points.ts';
import { runsOf } from '../../../kit/chart/range.ts';

export interface Palette {
  text: string;
  grid: string;
  band: string;
  line: string;
  limit: string;
  beyond: string;
  font: string;
}

/** Reads the colours from the CSS variables, because a canvas cannot use them directly. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour('--text-3'),
    grid: colour('--grid'),
    band: colour('--band'),
    line: colour('--series-1'),
    limit: colour('--ink'),
    beyond: colour('--limit-hit'),
    font: `11px ${style.fontFamily}`,
  };
}

/** Draws each limit as a line across the chart, and the values beyond it in red. */
export function drawLimits(
  chart: uPlot,
  { lower, upper }: { lower: number | null; upper: number | null },
  palette: Palette,
  raw: boolean,
): void {
  const { ctx, bbox } = chart;
  const y = (value: number) => chart.valToPos(value, 'y', true);
  const outline = outlineOf(chart);
  const dots = dotsOf(chart);
  const regions = [
    ...(upper === null ? [] : [{ top: bbox.top, bottom: y(upper) }]),
    ...(lower === null ? [] : [{ top: y(lower), bottom: bbox.top + bbox.height }]),
  ];
  for (const { top, bottom } of regions) {
    if (bottom <= top) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, top, bbox.width, bottom - top);
    ctx.clip();
    ctx.fillStyle = palette.beyond;
    ctx.strokeStyle = palette.beyond;
    ctx.lineWidth = raw ? 1.5 * devicePixelRatio : 1;
    if (raw) ctx.stroke(outline);
    else ctx.fill(outline);
    ctx.fill(dots);
    ctx.restore();
  }
  ctx.save();
  ctx.strokeStyle = palette.limit;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  for (const limit of [lower, upper]) {
    if (limit === null) continue;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y(limit));
    ctx.lineTo(bbox.left + bbox.width, y(limit));
    ctx.stroke();
  }
  ctx.restore();
}

/**
 * Returns the outline of the band between minima and maxima, one shape for each run of values without a gap. It follows
 * the maxima forwards and the minima backwards.
 */
function outlineOf(chart: uPlot): Path2D {
  const [times, highest = [], lowest = []] = chart.data;
  const x = (index: number) => chart.valToPos(times[index] as number, 'x', true);
  const y = (value: unknown) => chart.valToPos(value as number, 'y', true);
  const path = new Path2D();
  for (const run of runsOf(highest, lowest, 0, times.length - 1)) {
    const [start = 0] = run;
    path.moveTo(x(start), y(highest[start]));
    for (const index of run) path.lineTo(x(index), y(highest[index]));
    for (const index of run.toReversed()) path.lineTo(x(index), y(lowest[index]));
  }
  return path;
}

const DOT = 3;

/** Returns dots for isolated values, which have no adjacent value to draw a line to. */
function dotsOf(chart: uPlot): Path2D {
  const path = new Path2D();
  const means = chart.data.length - 1;
  for (const index of onlyLonely(chart, means)) {
    const x = chart.valToPos(chart.data[0][index] as number, 'x', true);
    const y = chart.valToPos(chart.data[means]?.[index] as number, 'y', true);
    path.moveTo(x, y);
    path.arc(x, y, DOT * devicePixelRatio, 0, 2 * Math.PI);
  }
  return path;
}
