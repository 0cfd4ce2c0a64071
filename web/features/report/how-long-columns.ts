import { formatSeconds } from '../../../domain/age.ts';
import type { FigureColumn } from './FigureTable.tsx';

interface HowLong {
  medianSeconds: number | null;
  p90Seconds: number | null;
}

/** How long something took, as the tables of figures say it. */
export const howLongColumns: readonly FigureColumn<HowLong>[] = [
  {
    header: 'Middle case',
    value: (row) => formatSeconds(row.medianSeconds),
    key: 'median',
    by: (row) => row.medianSeconds,
  },
  {
    header: 'Nine of ten within',
    value: (row) => formatSeconds(row.p90Seconds),
    key: 'p90',
    by: (row) => row.p90Seconds,
  },
];
