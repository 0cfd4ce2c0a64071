const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Joins a count and its unit with a non-breaking space, so that a line break never separates them. */
const withUnit = (count: number | string, unit: string) => `${count}\u00a0${unit}`;

/**
 * Formats a duration in its two largest units: `8 s`, `26 min`, `1 h 12 min`, `1 d 4 h`. The value is truncated, not
 * rounded. The console, files and messages use the same format.
 */
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

/**
 * Formats a duration in seconds for reports, in its two largest units. Below ten seconds, the text has tenths of a
 * second. Truncates the value, as `formatAge` does. Returns a dash for null.
 */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  // Removes floating-point error before truncating.
  const lasted = Math.max(0, Number(seconds.toFixed(6)));
  if (lasted < 10) return withUnit((Math.floor(lasted * 10) / 10).toFixed(1), 's');
  const age = lasted * SECOND;
  return age >= MINUTE && age < HOUR ? pair(age, MINUTE, 'min', SECOND, 's') : formatAge(age);
}

/** Formats the time between two ISO timestamps as `formatSeconds` does. */
export function formatBetween(from: string, to: string): string {
  return formatSeconds((Date.parse(to) - Date.parse(from)) / SECOND);
}
