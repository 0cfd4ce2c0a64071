/** How many there are on a day as a rule: `10,549.4`. */
export function perDay(count: number): string {
  return count.toLocaleString(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
