interface Told {
  toldCount?: number | null;
  untoldBecause: string | null;
}

/** How many have been told of an alarm, or why nobody has. What only lies in the outbox told nobody, and only an owner opens that. */
export function toldWords({ toldCount, untoldBecause }: Told): string {
  if (toldCount) return `${toldCount.toLocaleString()} told`;
  if (untoldBecause === 'kept') return 'nobody told, no sender is set up';
  return untoldBecause === 'nobody-joined' ? 'nobody is joined to it' : 'nobody told';
}
