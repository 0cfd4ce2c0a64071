import { NO_REASON, NO_REASON_WORDS } from './reason.ts';

export interface ParetoRow {
  name: string;
  /** How an address asks for it; null for the rarest together, which cannot be asked for. */
  filter: string | null;
  alarms: number;
  /** Of all, in per cent. */
  share: number;
  /** This and all more frequent ones together, in per cent. */
  cumulative: number;
}

interface Counted {
  reason: string | null;
  alarms: number;
  /** Several reasons together. */
  several?: true;
}

/** How many reasons a page and paper show; a file has all of them. */
export const MOST_REASONS = 12;

/** Each reason with its share, and with what it makes together with those before it. The rarest are one row at the end. */
export function paretoOf(given: readonly Counted[], most = MOST_REASONS): ParetoRow[] {
  const rows = gather(
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

/** Reasons that are as frequent have one order wherever they are read; none comes last. */
function byName({ reason: a }: Counted, { reason: b }: Counted): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

function gather(sorted: Counted[], most: number): Counted[] {
  const rest = sorted.slice(most);
  if (rest.length < 2) return sorted;
  const alarms = rest.reduce((sum, row) => sum + row.alarms, 0);
  return [...sorted.slice(0, most), { reason: `${rest.length} other reasons`, alarms, several: true }];
}
