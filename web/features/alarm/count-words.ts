import { plural } from '../../../domain/plural.ts';

/** `1 alarm`, `1,204 alarms` */
export function formatCount(count: number): string {
  return count === 1 ? '1 alarm' : `${count.toLocaleString()} alarms`;
}

/** What is still to be done of acknowledging many: `Acknowledge 3 alarms`, and once some are done `Acknowledge 1 more alarm`. */
export function titleOfMany(asked: number, waiting: number, begun: boolean): string {
  if (waiting === 0) return `Acknowledge ${formatCount(asked)}`;
  return begun
    ? `Acknowledge ${waiting.toLocaleString()} more ${plural(waiting, 'alarm')}`
    : `Acknowledge ${formatCount(waiting)}`;
}

/** What the bell says of the number beside it, which it names: `1 alarm not acknowledged, 20 open`. */
export function bellWords({ open, unacknowledged }: { open: number; unacknowledged: number }): string {
  return `${formatCount(unacknowledged)} not acknowledged, ${open === 0 ? 'none' : open.toLocaleString()} open`;
}
