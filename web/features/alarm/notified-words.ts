import { quietReasons } from '../../../domain/alarm/quiet.ts';
import { methodList } from '../notification/index.ts';

interface NotifiedFields {
  notifiedCount?: number | null;
  notNotifiedBecause: string | null;
  notNotifiedMethods?: readonly (number | null)[] | null;
}

/** Returns `3 notified`, or the reason why nobody was notified: `Nobody notified: no sender is set up for SMS`. */
export function notifiedWords({ notifiedCount, notNotifiedBecause, notNotifiedMethods }: NotifiedFields): string {
  if (notifiedCount) return `${notifiedCount.toLocaleString()} notified`;
  const methods = methodList(notNotifiedMethods ?? []);
  switch (notNotifiedBecause) {
    case 'kept':
      return `Nobody notified: no sender is set up for ${methods}`;
    case 'failed':
      return `Nobody notified: ${methods} could not be delivered`;
    case 'retrying':
      return `Nobody notified yet: ${methods} could not be sent, trying again`;
    case 'no-recipients':
      return 'Nobody notified: no recipient is set';
    case 'unreachable':
      return 'Nobody notified: no recipient has a working method';
    case 'shelved':
      return 'Nobody notified: the alarm was shelved when it opened';
    case 'maintenance':
      return 'Nobody notified: maintenance was in progress when the alarm opened';
    case 'dependency':
      return 'Nobody notified: the cause was in alarm when the alarm opened';
    case 'flood':
      return 'Nobody notified yet: waiting for the next flood digest';
    default:
      return 'nobody notified';
  }
}

/** Reasons for which it is intended that nobody was notified. */
const intended: ReadonlySet<string> = new Set([...quietReasons, 'flood']);

/**
 * Returns true if nobody was notified because something is wrong. The interface highlights such an alarm. Shelving,
 * maintenance, dependencies and floods are intended, so they do not count.
 */
export function isUnnotified({ notifiedCount, notNotifiedBecause }: NotifiedFields): boolean {
  return !notifiedCount && notNotifiedBecause !== null && !intended.has(notNotifiedBecause);
}
