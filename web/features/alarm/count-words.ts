import { plural } from '../../../domain/plural.ts';

/** Returns the count with its noun: `1 alarm`, `1,204 alarms`. */
export function formatCount(count: number): string {
  return count === 1 ? '1 alarm' : `${count.toLocaleString()} alarms`;
}

/**
 * Returns the dialog title: `Acknowledge 3 alarms`, or `Acknowledge 1 more alarm` when some are already acknowledged.
 */
export function bulkAcknowledgeTitle(asked: number, waiting: number, begun: boolean): string {
  if (waiting === 0) return `Acknowledge ${formatCount(asked)}`;
  return begun
    ? `Acknowledge ${waiting.toLocaleString()} more ${plural(waiting, 'alarm')}`
    : `Acknowledge ${formatCount(waiting)}`;
}

/** Returns the accessible name of the bell: `1 alarm not acknowledged, 20 open`. */
export function bellWords({ open, unacknowledged }: { open: number; unacknowledged: number }): string {
  return `${formatCount(unacknowledged)} not acknowledged, ${open === 0 ? 'none' : open.toLocaleString()} open`;
}
