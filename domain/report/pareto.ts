import { NO_REASON, NO_REASON_WORDS } from './reason.ts';

export interface ParetoRow {
  name: string;
  /** Filter value in the URL; null for the last row, which combines rare reasons. */
  filter: string | null;
  alarms: number;
  /** Percentage of all alarms. */
  share: number;
  /** Percentage of all alarms in this row and the rows above it. */
  cumulative: number;
}

interface Counted {
  reason: string | null;
  alarms: number;
  /** True if the row combines several reasons. */
  several?: true;
}

/** Number of reasons on the page and in the PDF. CSV and XLSX files contain all reasons. */
export const MOST_REASONS = 12;

/**
 * Returns the share and the cumulative share of each reason, most frequent first. If two or more reasons follow the
 * first `most`, the last row combines them.
 */
export function paretoOf(given: readonly Counted[], most = MOST_REASONS): ParetoRow[] {
  const rows = combineRare(
    given.toSorted((a, b) => b.alarms - a.alarms || byName(a, b)),
    most,
  );
  const all = rows.reduce((sum, { alarms }) => sum + alarms, 0);
  let together = 0;
  return rows.map(({ reason, alarms, several }) => {
    together += alarms;
    return {
      name: reason ?? NO_REASON_WORDS,
      filter: several ? null : (reason ?? NO_REASON),
      alarms,
      share: all === 0 ? 0 : (100 * alarms) / all,
      cumulative: all === 0 ? 0 : (100 * together) / all,
    };
  });
}

/** Compares reasons by name, independent of the locale. Alarms without a reason come last. */
function byName({ reason: a }: Counted, { reason: b }: Counted): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

function combineRare(sorted: Counted[], most: number): Counted[] {
  const rest = sorted.slice(most);
  if (rest.length < 2) return sorted;
  const alarms = rest.reduce((sum, row) => sum + row.alarms, 0);
  return [...sorted.slice(0, most), { reason: `${rest.length} other reasons`, alarms, several: true }];
}
