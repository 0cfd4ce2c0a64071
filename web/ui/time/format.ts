import { dateFormat } from '../formats.ts';

export { formatAge } from '../../../domain/age.ts';

/** The clock time with its zone's short name: `14:06:02 GMT`. */
export function formatClock(at: Date, timeZone: string, locale?: string): string {
  return dateFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at);
}

/** The day in words: `Thu 12 Nov 2026`, in the order the locale writes it. */
export function formatDay(at: Date, timeZone: string, locale?: string): string {
  return dateFormat(locale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
    .format(at)
    .replaceAll(',', '');
}
