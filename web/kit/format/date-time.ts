import { dateFormat } from '../../ui/formats.ts';

/** Day and time of day: `12 Nov 2026, 14:06:02`, in the order the locale writes it. A narrow place breaks it between the two. */
export function formatMoment(at: Date, timeZone: string, locale?: string): string {
  return dateFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
    .format(at)
    .replaceAll(/ (?!\d\d:)/g, '\u00a0');
}
