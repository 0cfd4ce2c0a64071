import type uPlot from 'uplot';
import { lonely } from './series.ts';

const known = new WeakMap<object, number[]>();

/**
 * Returns the indexes of isolated values, which are drawn as points. The result is cached for each list of values, so
 * that a redraw does not search again.
 */
export function onlyLonely(chart: uPlot, index: number): number[] {
  const values = (chart.data[index] ?? []) as readonly (number | null | undefined)[];
  const found = known.get(values) ?? lonely(values);
  known.set(values, found);
  return found;
}
