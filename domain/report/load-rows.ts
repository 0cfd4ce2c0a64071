import { localTime } from '../week.ts';

const PERIOD_MS = 600_000;
/** Clocks change on the hour or the half hour, so the three periods of a half hour have the same offset from UTC. */
const PERIODS_PER_LOOKUP = 3;
export const SLOTS = 144;

/** One row of the load chart: the alarms of a local day, in slots of ten minutes. */
export interface LoadRow {
  day: string;
  /** Total number of alarms on the day. */
  alarms: number;
  slots: number[];
}

/**
 * Arranges the numbers of alarms per ten minutes in rows, one for each local day. Slots of a skipped hour stay 0. Slots
 * of a repeated hour show the larger of the two numbers.
 */
export function loadRows(load: readonly number[], from: Date, timeZone: string): LoadRow[] {
  const rows: LoadRow[] = [];
  let slot = 0;
  let day = '';
  load.forEach((alarms, period) => {
    if (period % PERIODS_PER_LOOKUP === 0) {
      const at = new Date(from.getTime() + period * PERIOD_MS);
      const { year, month, day: date, hour, minute } = localTime(at, timeZone);
      slot = hour * 6 + Math.floor(minute / 10);
      day = new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10);
    } else slot += 1;
    if (rows.at(-1)?.day !== day) rows.push({ day, alarms: 0, slots: Array.from({ length: SLOTS }, () => 0) });
    const row = rows.at(-1) as LoadRow;
    row.alarms += alarms;
    if (slot < SLOTS) row.slots[slot] = Math.max(row.slots[slot] ?? 0, alarms);
  });
  return rows;
}
