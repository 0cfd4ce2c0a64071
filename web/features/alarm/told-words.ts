interface Told {
  toldCount?: number | null;
  untoldBecause: string | null;
}

/** How many have been told of an alarm, or why nobody has. What only lies in the outbox told nobody. */
export function toldWords({ toldCount, untoldBecause }: Told): string {
  if (toldCount) return `${toldCount.toLocaleString()} told`;
  if (untoldBecause === 'kept') return 'kept in the outbox';
  return untoldBecause === 'nobody-joined' ? 'nobody is joined to it' : 'nobody told';
}
