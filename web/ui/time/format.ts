import { dateFormat } from '../formats.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A number is never parted from its unit at the end of a line. */
const withUnit = (count: number, unit: string) => `${count}\u00a0${unit}`;

/** How long something has lasted, in its two largest units: `8 s`, `26 min`, `1 h 12 min`, `1 d 4 h`. */
export function formatAge(milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  if (age < MINUTE) {
    return withUnit(Math.floor(age / SECOND), 's');
  }
  if (age < HOUR) {
    return withUnit(Math.floor(age / MINUTE), 'min');
  }
  return age < DAY ? pair(age, HOUR, 'h', MINUTE, 'min') : pair(age, DAY, 'd', HOUR, 'h');
}

function pair(age: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((age % large) / small);
  const first = withUnit(Math.floor(age / large), largeUnit);
  return rest === 0 ? first : `${first} ${withUnit(rest, smallUnit)}`;
}

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
