const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A number is never parted from its unit at the end of a line. */
const withUnit = (count: number | string, unit: string) => `${count}\u00a0${unit}`;

/**
 * How long something has lasted: `8 s`, `26 min`, `1 h 12 min`, `1 d 4 h`. Cut off as clocks do, and so everywhere: in the
 * console, in files and in messages.
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
 * How long something took, as every report says it, on the page and on paper: one alarm, the middle case and what nine of ten lay
 * within alike. Its two largest units, below ten seconds to the tenth, and what is smaller is cut off and never rounded, so that the
 * same time reads the same wherever it stands, and never longer than the clock of its alarm. A dash where there is none.
 */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  // Not by a share that only reckoning in binary left over.
  const lasted = Math.max(0, Number(seconds.toFixed(6)));
  if (lasted < 10) return withUnit((Math.floor(lasted * 10) / 10).toFixed(1), 's');
  const age = lasted * SECOND;
  return age >= MINUTE && age < HOUR ? pair(age, MINUTE, 'min', SECOND, 's') : formatAge(age);
}

/** The same between two times as the API writes them. */
export function formatBetween(from: string, to: string): string {
  return formatSeconds((Date.parse(to) - Date.parse(from)) / SECOND);
}
