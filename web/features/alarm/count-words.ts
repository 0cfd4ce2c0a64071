/** `1 alarm`, `1,204 alarms` */
export function formatCount(count: number): string {
  return count === 1 ? '1 alarm' : `${count.toLocaleString()} alarms`;
}

/** What the bell says of the number beside it, which it names: `1 alarm not acknowledged, 20 open`. */
export function bellWords({ open, unacknowledged }: { open: number; unacknowledged: number }): string {
  return `${formatCount(unacknowledged)} not acknowledged, ${open === 0 ? 'none' : open.toLocaleString()} open`;
}
