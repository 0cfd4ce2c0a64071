const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A number is never parted from its unit at the end of a line. */
const withUnit = (count: number | string, unit: string) => `${count}\u00a0${unit}`;

/**
 * How long something has lasted, in its two largest units: `8 s`, `26 min`, `1 h 12 min`, `1 d 4 h`. Cut off as clocks do, and
 * so everywhere: in the console, in files and in messages.
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

/** A length of time that something lay within, written so that it did: what is cut off elsewhere is one more here. */
export function formatWithin(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  const shown = seconds < 10 ? 0.1 : seconds < 60 ? 1 : seconds < 86_400 ? 60 : 3600;
  // Not by a share that only reckoning in binary left over.
  return formatSeconds(Number((Math.ceil(Number((seconds / shown).toFixed(6))) * shown).toFixed(1)));
}

/** A length of time in seconds as people say it; a dash where there is none. Below ten seconds to the tenth. */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  return seconds < 10 ? withUnit((Math.floor(seconds * 10) / 10).toFixed(1), 's') : formatAge(seconds * 1000);
}
