import { DIGITAL } from '../../../domain/datapoint.ts';
import type { TrendPoint } from './trend.queries.ts';

const COLOURS = 4;

/** A data point as a line in the chart. */
export interface Line {
  uuid: string;
  label: string;
  unit: string;
  digital: boolean;
  lowText: string;
  highText: string;
  /** Number of the line's colour, starting at 1. */
  colour: number;
  /**
   * Index of the dash pattern; 0 is a solid line. The patterns distinguish lines, because there are more lines than
   * colours.
   */
  dash: number;
  limits: { value: number; side: 'high' | 'low' }[];
}

const dashes: readonly number[][] = [[], [6, 3], [2, 3], [8, 3, 2, 3], [1, 2]];

/** Returns the lengths of the dashes and gaps of a dash pattern; empty for a solid line. */
export function dashOf({ dash }: Pick<Line, 'dash'>): number[] {
  return dashes[dash % dashes.length] as number[];
}

export type KnownPoint = Pick<
  TrendPoint,
  'uuid' | 'tocsinDatapointName' | 'uom' | 'sensorType' | 'asset' | 'sensorChannel' | 'rules'
>;

/** Returns the lines of a trend. Each has the shortest name that distinguishes it from the others. */
export function linesOf(points: readonly KnownPoint[]): Line[] {
  const manySites = new Set(points.map(({ asset }) => asset?.site?.uuid)).size > 1;
  return points.map((point, index) => ({
    uuid: point.uuid,
    label: labelOf(point, manySites),
    unit: point.sensorType === DIGITAL ? '' : point.uom,
    digital: point.sensorType === DIGITAL,
    lowText: point.sensorChannel?.channelLowText || 'Low',
    highText: point.sensorChannel?.channelHighText || 'High',
    colour: (index % COLOURS) + 1,
    dash: Math.floor(index / COLOURS),
    limits: limitsOf(point),
  }));
}

function labelOf({ asset, tocsinDatapointName: name }: KnownPoint, manySites: boolean): string {
  const own = asset && asset.name !== name ? `${asset.name} ${name}` : name;
  return manySites && asset?.site ? `${asset.site.name}, ${own}` : own;
}

/**
 * Returns the limits set by the enabled rules. If several rules set a limit on the same side, the strictest one
 * applies.
 */
function limitsOf({ rules }: KnownPoint): Line['limits'] {
  const active = rules.nodes.flatMap((rule) => (rule?.enabled ? rule : []));
  const uppers = active.flatMap(({ valueUpper }) => valueUpper ?? []);
  const lowers = active.flatMap(({ valueLower }) => valueLower ?? []);
  return [
    ...(uppers.length > 0 ? [{ value: Math.min(...uppers), side: 'high' as const }] : []),
    ...(lowers.length > 0 ? [{ value: Math.max(...lowers), side: 'low' as const }] : []),
  ];
}

/** Group of lines with a common value axis. */
export interface Panel {
  key: string;
  unit: string;
  digital: boolean;
  lines: Line[];
}

/** Returns one panel per unit, or one per line if `axes` is `own`. Each digital line has a panel of its own. */
export function panelsOf(lines: readonly Line[], axes: 'shared' | 'own'): Panel[] {
  const keyOf = (line: Line) => (line.digital || axes === 'own' ? line.uuid : `unit ${line.unit}`);
  return [...Map.groupBy(lines, keyOf)].map(([key, those]) => ({
    key,
    unit: those[0]?.unit ?? '',
    digital: those[0]?.digital ?? false,
    lines: those,
  }));
}

/** Height of the time axis below the last panel, in pixels. */
export const TIME_AXIS = 26;
const DIGITAL_HEIGHT = 64;
const LEAST_HEIGHT = 110;

/**
 * Returns the heights of the panels. Digital panels have a small fixed height, and the other panels share the remaining
 * height. If the remaining height is too small, the other panels get their minimum height, and the chart becomes
 * taller.
 */
export function heightsOf(panels: readonly Pick<Panel, 'digital'>[], height: number): number[] {
  const numbers = panels.filter(({ digital }) => !digital).length;
  const rest = height - (panels.length - numbers) * DIGITAL_HEIGHT;
  return panels.map(({ digital }) => (digital ? DIGITAL_HEIGHT : Math.max(LEAST_HEIGHT, Math.floor(rest / numbers))));
}

/** Returns the height of the whole chart, so that space can be reserved before the chart library has loaded. */
export function chartHeight(panels: readonly Pick<Panel, 'digital'>[], height: number): number {
  return heightsOf(panels, height - TIME_AXIS).reduce((sum, one) => sum + one, TIME_AXIS);
}

const VALUE_AXIS = { least: 56, most: 160, gap: 8, edge: 4 };

/**
 * Returns the width of the value axis, which is the same for all panels. It leaves room for the state names of digital
 * values.
 */
export function valueAxisWidth(panels: readonly Panel[], textWidth: (text: string) => number): number {
  const texts = panels.flatMap(({ digital, lines }) =>
    digital ? lines.flatMap(({ lowText, highText }) => [lowText, highText]) : [],
  );
  const widest = Math.max(0, ...texts.map(textWidth));
  return Math.min(VALUE_AXIS.most, Math.max(VALUE_AXIS.least, Math.ceil(widest) + VALUE_AXIS.gap + VALUE_AXIS.edge));
}

/** Returns the width available for text on an axis. */
export function axisTextRoom(axisWidth: number): number {
  return axisWidth - VALUE_AXIS.gap - VALUE_AXIS.edge;
}

/** Returns the range of the value axis, which covers all values and limits, with padding. */
export function axisRange(least: number | null, most: number | null, limits: readonly number[]): [number, number] {
  const all = [least, most, ...limits].filter((value): value is number => value !== null && Number.isFinite(value));
  if (all.length === 0) return [0, 1];
  const bottom = Math.min(...all);
  const top = Math.max(...all);
  const air = (top - bottom) * 0.08 || Math.abs(top) * 0.1 || 1;
  return [bottom - air, top + air];
}

/** Moves overlapping labels apart within the given height, without changing their order. */
export function spread(places: readonly number[], distance: number, height: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => (places[a] as number) - (places[b] as number));
  const result = [...places];
  let before = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    result[index] = Math.max(places[index] as number, before + distance);
    before = result[index] as number;
  }
  let after = height;
  for (const index of order.toReversed()) {
    result[index] = Math.min(result[index] as number, after);
    after = (result[index] as number) - distance;
  }
  return result;
}
