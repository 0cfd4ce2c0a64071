import { formatAge } from '../../ui/time/format.ts';

/** A length of time in seconds as people say it; a dash where there is none. Below ten seconds to the tenth. */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  return seconds < 10 ? `${seconds.toFixed(1)}\u00a0s` : formatAge(seconds * 1000);
}

/** `30 days before: 12`; of a day `day before`. */
export function daysBeforeWords(days: number): string {
  return days === 1 ? 'The day before' : `${days} days before`;
}

/** How many there are on a day as a rule: `10,549.4`. */
export function perDay(count: number): string {
  return count.toLocaleString(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
