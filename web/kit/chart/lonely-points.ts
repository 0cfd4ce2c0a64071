import type uPlot from 'uplot';
import { lonely } from './series.ts';

const known = new WeakMap<object, number[]>();

/** Of a list of values those that make no line and are drawn as points. Looked for once in each list, and not with every frame. */
export function onlyLonely(chart: uPlot, index: number): number[] {
  const values = (chart.data[index] ?? []) as readonly (number | null | undefined)[];
  const found = known.get(values) ?? lonely(values);
  known.set(values, found);
  return found;
}
