import { formatSeconds } from '../../../domain/age.ts';
import type { FigureColumn } from './FigureTable.tsx';

interface Durations {
  medianSeconds: number | null;
  p90Seconds: number | null;
}

/**
 * Returns two columns: the median and the 90th percentile of a duration. `of` is the name of the duration in the column
 * headings, such as `User’s response time, median`.
 */
export const durationColumns = (of = ''): readonly FigureColumn<Durations>[] => [
  {
    header: of ? `${of}, median` : 'Median',
    value: (row) => formatSeconds(row.medianSeconds),
    key: 'median',
    by: (row) => row.medianSeconds,
  },
  {
    header: of ? `${of}, 90th percentile` : '90th percentile',
    value: (row) => formatSeconds(row.p90Seconds),
    key: 'p90',
    by: (row) => row.p90Seconds,
  },
];
