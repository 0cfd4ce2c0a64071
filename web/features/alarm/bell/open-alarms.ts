import { type Severity, severities } from '../../../../domain/rule/priority.ts';
import { newestOf } from './new-alarm.ts';

export interface OpenAlarms {
  open: number;
  unacknowledged: number;
  /** When the oldest alarm opened that nobody has acknowledged; null where there is none. */
  oldest: string | null;
  /** When the newest of those came to the server, in milliseconds since 1970; null where there is none. */
  newest: number | null;
  bySeverity: Record<Severity, number>;
}

interface CountRow {
  severity: string | null;
  open: number | null;
  unacknowledged: number | null;
  oldestUnacknowledged: string | null;
  newestUnacknowledged: string | null;
}

/** Adds up the rows of the severities. A severity without an open alarm has no row. */
export function sumUp(rows: readonly CountRow[]): OpenAlarms {
  const bySeverity = Object.fromEntries(
    severities.map((severity) => [severity, rows.find((row) => row.severity === severity)?.open ?? 0]),
  ) as Record<Severity, number>;
  const waiting = rows.flatMap((row) => row.oldestUnacknowledged ?? []);
  return {
    open: total(rows, 'open'),
    unacknowledged: total(rows, 'unacknowledged'),
    oldest: waiting.reduce<string | null>(
      (oldest, at) => (oldest === null || Date.parse(at) < Date.parse(oldest) ? at : oldest),
      null,
    ),
    newest: newestOf(rows),
    bySeverity,
  };
}

function total(rows: readonly CountRow[], field: 'open' | 'unacknowledged'): number {
  return rows.reduce((sum, row) => sum + (row[field] ?? 0), 0);
}
