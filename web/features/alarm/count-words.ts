/** `1 alarm`, `1,204 alarms` */
export function formatCount(count: number): string {
  return count === 1 ? '1 alarm' : `${count.toLocaleString()} alarms`;
}

/** What the bell says of the number beside it: `1 alarm not acknowledged, 20 open`. */
export function bellWords({ open, unacknowledged }: { open: number; unacknowledged: number }): string {
  if (open === 0) return 'No open alarms';
  const all = `${open.toLocaleString()} open`;
  return unacknowledged === 0
    ? `${all} ${open === 1 ? 'alarm, acknowledged' : 'alarms, all acknowledged'}`
    : `${formatCount(unacknowledged)} not acknowledged, ${all}`;
}
