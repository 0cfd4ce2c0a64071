import { barsOf, labelWords } from '../../domain/report/bars.ts';
import type { ReportParameters } from './parameters.ts';
import type { Picture } from './table.ts';

/** Returns a bar chart with one bar per day, or with one bar per month if the range is long. */
export function dayBars(
  title: string,
  parts: readonly string[],
  { range }: ReportParameters,
  rows: any[],
  values: (row: any) => number[],
): Picture {
  const { each, bars } = barsOf(range, rows, values, parts.length);
  return {
    title: `${title} per ${each}`,
    parts,
    bars: bars.map(({ label, values }) => ({ label: labelWords(label), values })),
  };
}
