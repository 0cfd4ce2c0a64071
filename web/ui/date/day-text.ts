import { dateFormat } from '../formats.ts';

/** Days are stored as 2026-11-17 and times as 08:00. Fields show a day as the user's locale writes it. */

const numeric: Intl.DateTimeFormatOptions = {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  calendar: 'gregory',
  numberingSystem: 'latn',
  timeZone: 'UTC',
};
type Part = 'day' | 'month' | 'year';

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** Returns true for a day of the calendar with a year of four digits, such as 2026-11-17. */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const date = dateOf(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Formats a day in numbers: `17/11/2026`, or `11/17/2026` in US English. Other text stays as it is. */
export function writeDay(day: string, locale?: string): string {
  return isDay(day) ? dateFormat(locale, numeric).format(dateOf(day)) : day;
}

/** Returns the order in which the locale writes day, month and year. */
function orderOf(locale: string | undefined): Part[] {
  return dateFormat(locale, numeric)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type): type is Part => type === 'day' || type === 'month' || type === 'year');
}

/**
 * Reads a day that is typed in the order of the locale, with or without separators, or as 2026-11-17. A year of two
 * digits is in this century. Returns null for other text.
 */
export function readDay(text: string, locale?: string): string | null {
  const order = orderOf(locale);
  const groups = text.match(/\d+/g) ?? [];
  // Bulgarian writes a letter after the year. Other letters, such as the name of a month, are not read.
  if (/\p{L}/u.test(text.replace(/\p{L}\.?\s*$/u, ''))) return null;
  if (groups.length === 1 && groups[0]?.length === 8) return ofGroups(split(groups[0], order), order);
  if (groups.length !== 3) return null;
  return ofGroups(groups, groups[0]?.length === 4 ? ['year', 'month', 'day'] : order);
}

/** Splits eight digits into the parts of a date. */
function split(digits: string, order: readonly Part[]): string[] {
  let from = 0;
  return order.map((part) => {
    const start = from;
    from += part === 'year' ? 4 : 2;
    return digits.slice(start, from);
  });
}

function ofGroups(groups: readonly string[], order: readonly Part[]): string | null {
  const part = (name: Part) => groups[order.indexOf(name)] ?? '';
  const year = part('year').length === 2 ? `20${part('year')}` : part('year');
  const day = `${year}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`;
  return isDay(day) ? day : null;
}

/** Reads a time of day: `8`, `8:00`, `08.00`, `0800`, `8:30 pm`. Returns it as 08:00, or null for other text. */
export function readTime(text: string): string | null {
  const match = /^\s*(\d{1,2})(?:[:.h\s]?(\d\d))?\s*([ap])?\.?(?:m\.?)?\s*$/i.exec(text);
  if (!match || (/m/i.test(text) && !match[3])) return null;
  const [, hours = '', minutes = '00', half] = match;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return hour < 24 && Number(minutes) < 60 ? `${String(hour).padStart(2, '0')}:${minutes}` : null;
}
