import { type CsvValue, csvText } from '../../../domain/csv.ts';
import type { Series } from '../../kit/chart/series.ts';
import type { Window } from '../../kit/chart/time-window.ts';
import type { Line } from './lines.ts';

/**
 * Returns the values in the chart as CSV, with one row per time. For averages, the file also has columns for the
 * minimum and the maximum.
 */
export function trendCsv(
  lines: readonly Pick<Line, 'uuid' | 'label' | 'unit'>[],
  all: readonly Series[],
  { from, to }: Window,
  formatTime: (time: number) => string,
): string {
  const columns = lines.flatMap((line) => {
    const series = all.find(({ uuid }) => uuid === line.uuid);
    if (!series) return [];
    const name = line.unit ? `${line.label} (${line.unit})` : line.label;
    const parts = [
      { header: name, values: series.values },
      ...(series.bucketMs === null
        ? []
        : [
            { header: `${name}, lowest`, values: series.lows },
            { header: `${name}, highest`, values: series.highs },
          ]),
    ];
    return parts.map(({ header, values }) => ({
      header,
      at: new Map(series.times.map((time, index) => [time, values[index] ?? null])),
    }));
  });
  const times = [...new Set(columns.flatMap(({ at }) => [...at.keys()]))]
    .filter((time) => time >= from && time <= to)
    .sort((a, b) => a - b);
  const rows = times.map((time): CsvValue[] => [
    formatTime(time),
    new Date(time).toISOString(),
    ...columns.map(({ at }) => at.get(time)),
  ]);
  return csvText(['Time', 'Time (UTC)', ...columns.map(({ header }) => header)], rows);
}
