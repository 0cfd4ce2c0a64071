/** `1 alarm`, `1,204 alarms` */
export function formatCount(count: number): string {
  return count === 1 ? '1 alarm' : `${count.toLocaleString()} alarms`;
}
