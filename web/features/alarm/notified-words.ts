import { methodList } from '../notification/index.ts';

interface Told {
  toldCount?: number | null;
  untoldBecause: string | null;
  untoldMethods?: readonly (number | null)[] | null;
}

/** How many were notified of an alarm, or why nobody was, with the methods: `Nobody notified: no sender is set up for SMS`. */
export function notifiedWords({ toldCount, untoldBecause, untoldMethods }: Told): string {
  if (toldCount) return `${toldCount.toLocaleString()} notified`;
  const methods = methodList(untoldMethods ?? []);
  switch (untoldBecause) {
    case 'kept':
      return `Nobody notified: no sender is set up for ${methods}`;
    case 'failed':
      return `Nobody notified: ${methods} could not be delivered`;
    case 'retrying':
      return `Nobody notified yet: ${methods} could not be sent, trying again`;
    case 'nobody-joined':
      return 'Nobody notified: no recipient is set';
    case 'unreachable':
      return 'Nobody notified: its recipients have no method that works';
    default:
      return 'nobody notified';
  }
}

/** Nobody was notified, and it is known why: this is shown as loud as the alarm itself. */
export function isUnnotified({ toldCount, untoldBecause }: Told): boolean {
  return !toldCount && untoldBecause !== null;
}
