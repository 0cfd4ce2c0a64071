import type uPlot from 'uplot';
import { type Series, stretchesOf } from '../../kit/chart/series.ts';
import { hugeTicks } from '../../kit/chart/ticks.ts';
import { formatNumber } from '../../kit/format/value.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';
import type { Band } from './alarm-bands.ts';
import { type Line, spread } from './lines.ts';

/** Colours read from the CSS variables, which a canvas cannot use directly. */
export interface Palette {
  text: string;
  words: string;
  grid: string;
  surface: string;
  limit: string;
  beyond: string;
  tints: Record<Band['severity'], string>;
  font: string;
  colour: (number: number) => string;
}

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour('--text-3'),
    words: colour('--text'),
    grid: colour('--grid'),
    surface: colour('--surface'),
    limit: colour('--limit'),
    beyond: colour('--limit-hit'),
    tints: {
      critical: colour('--critical-bg'),
      major: colour('--major-bg'),
      minor: colour('--minor-bg'),
      silent: colour('--silent-bg'),
    },
    font: style.fontFamily,
    colour: (number) => colour(`--series-${number}`),
  };
}

/** Line width in CSS pixels. */
export const LINE_WIDTH = 1.5;

/** Data needed to draw a panel. */
export interface PanelContent {
  lines: readonly Line[];
  series: readonly Series[];
  bands: readonly Band[];
  palette: Palette;
  /** True if the lines have labels at their ends. */
  named: boolean;
  /** True while a gesture is in progress. */
  moving: boolean;
}

/** Draws alarms as bands behind the lines, tinted by severity. */
export function paintBands(chart: uPlot, { bands, palette, lines }: PanelContent): void {
  const { ctx, bbox } = chart;
  ctx.save();
  for (const band of bands) {
    if (!lines.some(({ uuid }) => band.points.includes(uuid))) continue;
    const left = chart.valToPos(band.from / 1000, 'x', true);
    const right = chart.valToPos(band.to / 1000, 'x', true);
    ctx.fillStyle = palette.tints[band.severity];
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  }
  ctx.restore();
}

/**
 * Draws on top of the lines: limits as dashed lines, values beyond a limit in red, and labels. During a gesture, no
 * values are drawn in red.
 */
export function paintAbove(chart: uPlot, content: PanelContent): void {
  const { ctx, bbox } = chart;
  const { palette, series, lines, named, moving } = content;
  const ratio = devicePixelRatio;
  const labels: { at: number; text: string; colour: string; strong: boolean }[] = [];
  const y = (value: number) => chart.valToPos(value, 'y', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const line of lines) {
    const own = series.find(({ uuid }) => uuid === line.uuid);
    const last = own?.values.findLast((value) => value !== null) ?? null;
    for (const { value, side } of line.limits) {
      const passed = last !== null && (side === 'high' ? last > value : last < value);
      if (own && !moving && isBeyond(own, value, side)) strokeBeyond(chart, own, y(value), side, palette.beyond);
      ctx.strokeStyle = passed ? palette.beyond : palette.limit;
      ctx.lineWidth = ratio;
      ctx.setLineDash([5 * ratio, 4 * ratio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y(value));
      ctx.lineTo(bbox.left + bbox.width, y(value));
      ctx.stroke();
      ctx.setLineDash([]);
      const text = `${side} ${formatLimit(value)}`;
      labels.push({ at: y(value), text, colour: passed ? palette.beyond : palette.text, strong: false });
    }
    const end = own && lastShown(chart, own);
    if (end === null || end === undefined) continue;
    if (lines.length > 1) {
      labels.push({ at: y(end), text: line.label, colour: palette.colour(line.colour), strong: true });
    } else if (!line.digital) {
      // In a panel with only one line, the line is labelled with its value instead of its name.
      const beyond = line.limits.some(({ value, side }) => (side === 'high' ? end > value : end < value));
      const text = withUnit(formatNumber(end), line.unit);
      labels.push({ at: y(end), text, colour: beyond ? palette.beyond : palette.words, strong: true });
    }
  }
  ctx.restore();
  ctx.save();
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  ctx.font = `400 ${11 * ratio}px ${palette.font}`;
  ctx.fillStyle = palette.text;
  ctx.fillText(lines[0]?.unit ?? '', bbox.left - 8 * ratio, 9 * ratio);
  const { min = 0, max = 0 } = chart.scales.y ?? {};
  for (const value of hugeTicks(min, max)) ctx.fillText(formatNumber(value), bbox.left - 8 * ratio, y(value));
  if (named) {
    ctx.textAlign = 'left';
    const places = spread(
      labels.map(({ at }) => Math.max(bbox.top, Math.min(at, bbox.top + bbox.height))),
      13 * ratio,
      bbox.top + bbox.height,
    );
    for (const [index, label] of labels.entries()) {
      ctx.font = `${label.strong ? 500 : 400} ${11 * ratio}px ${palette.font}`;
      ctx.fillStyle = label.colour;
      ctx.fillText(
        truncateText(ctx, label.text, 104 * ratio),
        bbox.left + bbox.width + 8 * ratio,
        places[index] as number,
      );
    }
  } else {
    // Draw the labels on the left, away from the newest values. An outline keeps them readable on top of a line.
    ctx.textAlign = 'left';
    ctx.strokeStyle = palette.surface;
    ctx.lineWidth = 3 * ratio;
    ctx.lineJoin = 'round';
    for (const { at, text, colour, strong } of labels) {
      if (strong || at < bbox.top || at > bbox.top + bbox.height) continue;
      ctx.fillStyle = colour;
      ctx.strokeText(text, bbox.left + 4 * ratio, at - 7 * ratio);
      ctx.fillText(text, bbox.left + 4 * ratio, at - 7 * ratio);
    }
  }
  ctx.restore();
}

/** Returns the last value in the window; null if there is none. */
function lastShown(chart: uPlot, { times, values }: Series): number | null {
  const { min = 0, max = 0 } = chart.scales.x ?? {};
  for (let index = times.length - 1; index >= 0; index -= 1) {
    const at = (times[index] as number) / 1000;
    const value = values[index];
    if (at < (min ?? 0)) return null;
    if (at <= (max ?? 0) && typeof value === 'number') return value;
  }
  return null;
}

function isBeyond({ values }: Series, limit: number, side: 'high' | 'low'): boolean {
  return values.some((value) => value !== null && (side === 'high' ? value > limit : value < limit));
}

function strokeBeyond(chart: uPlot, series: Series, limit: number, side: 'high' | 'low', colour: string): void {
  const { ctx, bbox } = chart;
  const top = side === 'high' ? bbox.top : limit;
  const bottom = side === 'high' ? limit : bbox.top + bbox.height;
  if (bottom <= top) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, top, bbox.width, bottom - top);
  ctx.clip();
  // uPlot aligns its lines to whole pixels. With the same offset, this line covers uPlot's line exactly.
  const offset = ((LINE_WIDTH * devicePixelRatio) % 2) / 2;
  ctx.translate(offset, offset);
  ctx.beginPath();
  for (const stretch of stretchesOf(series)) {
    for (const [index, { time, value }] of stretch.entries()) {
      const x = Math.round(chart.valToPos(time / 1000, 'x', true));
      const y = Math.round(chart.valToPos(value, 'y', true));
      if (index > 0) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
    }
  }
  ctx.setLineDash([]);
  ctx.strokeStyle = colour;
  ctx.lineWidth = (LINE_WIDTH + 0.5) * devicePixelRatio;
  ctx.stroke();
  ctx.restore();
}

/** Returns the font of the axes, in CSS pixels. */
export const axisFont = ({ font }: Pick<Palette, 'font'>) => `11px ${font}`;

const fitted = new Map<string, string>();

/**
 * Shortens a text to a width in pixels. Results are cached, because measuring is slow and each frame of a gesture draws
 * the same labels.
 */
export function truncateText(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  const key = `${ctx.font} ${width} ${text}`;
  const known = fitted.get(key);
  if (known !== undefined) return known;
  let cut = text;
  while (cut.length > 1 && ctx.measureText(cut === text ? cut : `${cut}…`).width > width) cut = cut.slice(0, -1);
  const fits = cut === text ? text : `${cut.trimEnd()}…`;
  // Clears the cache when it has grown large. Because web fonts load late, this also removes texts that were measured
  // with the fallback font.
  if (fitted.size > 100) fitted.clear();
  fitted.set(key, fits);
  return fits;
}
