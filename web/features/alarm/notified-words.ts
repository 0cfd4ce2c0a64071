import { methodList } from '../notification/index.ts';

interface NotifiedFields {
  toldCount?: number | null;
  untoldBecause: string | null;
  untoldMethods?: readonly (number | null)[] | null;
}

/** `3 notified`, or why nobody was: `Nobody notified: no sender is set up for SMS`. */
export function notifiedWords({ toldCount, untoldBecause, untoldMethods }: NotifiedFields): string {
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

/** True if nobody was notified for a known reason. The interface highlights this like the alarm itself. */
export function isUnnotified({ toldCount, untoldBecause }: NotifiedFields): boolean {
  return !toldCount && untoldBecause !== null;
}
