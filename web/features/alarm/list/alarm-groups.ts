import { acknowledgementOf, quietState } from '../../../kit/format/alarm.ts';
import type { AlarmRow } from '../alarm.queries.ts';

export interface AlarmGroup {
  key: string;
  /** Heading of the group; empty if the list has only one group. */
  title: string;
  /** Number of alarms on all pages; undefined if only the number on this page is known. */
  count: number | undefined;
  /** Additional text after the number of alarms. */
  note?: string;
  rows: AlarmRow[];
}

/**
 * Groups the rows into unacknowledged, acknowledged, quiet and past alarms, which is also the server's sort order.
 * Omits empty groups.
 */
export function groupsOf(
  rows: readonly AlarmRow[],
  past: boolean,
  counts: { open: number; unacknowledged: number; shelved: number; consequences: number } | undefined,
): AlarmGroup[] {
  const isOpen = (row: AlarmRow) => !past && row.resolvedDate === null && quietState(row) === null;
  const isWaiting = (row: AlarmRow) => acknowledgementOf(row.acknowledgeJson) === null;
  const open: Omit<AlarmGroup, 'key'>[] = [
    {
      title: 'Not acknowledged',
      count: counts?.unacknowledged,
      rows: rows.filter((row) => isOpen(row) && isWaiting(row)),
    },
    {
      title: 'Acknowledged',
      count: counts && counts.open - counts.unacknowledged,
      rows: rows.filter((row) => isOpen(row) && !isWaiting(row)),
    },
    {
      title: 'Consequences',
      count: counts?.consequences,
      note: 'not counted as open',
      rows: rows.filter((row) => quietState(row) === 'consequence'),
    },
    {
      title: 'Shelved',
      count: counts?.shelved,
      note: 'not counted as open',
      rows: rows.filter((row) => quietState(row) !== null && quietState(row) !== 'consequence'),
    },
  ].filter((group) => group.rows.length > 0);
  const over = rows.filter((row) => !isOpen(row) && quietState(row) === null);
  const last = over.length > 0 ? [{ title: open.length > 0 ? 'Past' : '', count: undefined, rows: over }] : [];
  return [...open, ...last].map((group) => ({ ...group, key: group.title }));
}

/** Groups the rows by site and keeps their order. For a deleted site, uses its last name. */
export function groupsBySite(rows: readonly AlarmRow[]): AlarmGroup[] {
  const groups = new Map<string, AlarmGroup>();
  for (const row of rows) {
    const key = row.site?.uuid ?? `gone ${row.siteName}`;
    const group = groups.get(key) ?? { key, title: row.siteName, count: undefined, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}
