import type { AlarmRow } from './alarm.queries.ts';
import { acknowledgementOf } from './alarm.ts';

export interface AlarmGroup {
  /** Empty where the list has only one group. */
  title: string;
  /** How many there are on all pages; undefined where only this page is known. */
  count: number | undefined;
  rows: AlarmRow[];
}

/** Open alarms in two groups, those first that nobody has acknowledged; past ones in one. */
export function groupsOf(
  rows: readonly AlarmRow[],
  past: boolean,
  counts: { open: number; unacknowledged: number } | undefined,
): AlarmGroup[] {
  if (past) {
    return [{ title: '', count: undefined, rows: [...rows] }];
  }
  const isWaiting = (row: AlarmRow) => acknowledgementOf(row.acknowledgeJson) === null;
  return [
    { title: 'Not acknowledged', count: counts?.unacknowledged, rows: rows.filter(isWaiting) },
    {
      title: 'Acknowledged',
      count: counts && counts.open - counts.unacknowledged,
      rows: rows.filter((row) => !isWaiting(row)),
    },
  ].filter((group) => group.rows.length > 0);
}
