import { type Severity, severities } from '../../../../domain/rule/priority.ts';
import { newestOf } from './new-alarm.ts';

/** Counts of open alarms. All counts except `shelved` and `consequences` exclude quiet alarms. */
export interface OpenAlarms {
  open: number;
  shelved: number;
  consequences: number;
  unacknowledged: number;
  /** Opening time of the oldest unacknowledged alarm; null if there is none. */
  oldest: string | null;
  /** Creation time of the newest unacknowledged alarm, in milliseconds since 1970; null if there is none. */
  newest: number | null;
  bySeverity: Record<Severity, number>;
}

interface CountRow {
  severity: string | null;
  open: number | null;
  unacknowledged: number | null;
  oldestUnacknowledged: string | null;
  newestUnacknowledged: string | null;
  shelved: number | null;
  consequences: number | null;
}

/** Adds up the counts of all severities. A severity without open alarms has no row in `rows`. */
export function sumCounts(rows: readonly CountRow[]): OpenAlarms {
  const bySeverity = Object.fromEntries(
    severities.map((severity) => [severity, rows.find((row) => row.severity === severity)?.open ?? 0]),
  ) as Record<Severity, number>;
  const waiting = rows.flatMap((row) => row.oldestUnacknowledged ?? []);
  return {
    open: total(rows, 'open'),
    shelved: total(rows, 'shelved'),
    consequences: total(rows, 'consequences'),
    unacknowledged: total(rows, 'unacknowledged'),
    oldest: waiting.reduce<string | null>(
      (oldest, at) => (oldest === null || Date.parse(at) < Date.parse(oldest) ? at : oldest),
      null,
    ),
    newest: newestOf(rows),
    bySeverity,
  };
}

function total(rows: readonly CountRow[], field: 'open' | 'unacknowledged' | 'shelved' | 'consequences'): number {
  return rows.reduce((sum, row) => sum + (row[field] ?? 0), 0);
}
