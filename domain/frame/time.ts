/** The latest time that Date supports. */
const END = 8.64e15;

/** Numbers of at least this size are milliseconds. As seconds, they would be after the year 5138. */
const MILLISECONDS_FROM = 1e11;

const iso =
  /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d)(?=T))(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Parses an ISO 8601 time or a number into milliseconds since 1970. An ISO time without a zone is in UTC. Returns
 * undefined if the time is invalid.
 */
export function parseTime(raw: unknown): number | undefined {
  if (typeof raw === 'number') {
    return timeOfNumber(raw);
  }
  if (typeof raw !== 'string' || raw.length > 64) {
    return undefined;
  }
  const text = raw.trim();
  return /^[+-]?\d+(\.\d*)?(e\+?\d+)?$/i.test(text) ? timeOfNumber(Number(text)) : timeOfIso(text);
}

function timeOfNumber(value: number): number | undefined {
  const milliseconds = Math.round(Math.abs(value) >= MILLISECONDS_FROM ? value : value * 1000);
  return Math.abs(milliseconds) <= END ? milliseconds + 0 : undefined;
}

function timeOfIso(text: string): number | undefined {
  const match = iso.exec(text);
  if (match === null) {
    return undefined;
  }
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2) || part(4), part(3) || part(5)];
  const [hour, minute, second] = [part(6), part(7), part(8)];
  const midnight = Date.UTC(year, month - 1, day);
  const date = new Date(midnight);
  // Detects an invalid day and a year before 100, which Date.UTC converts into another date.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    return undefined;
  }
  // 24:00 is the end of the day. Second 60 is a leap second and counts as the next second.
  if (hour > 24 || (hour === 24 && minute + second > 0) || minute > 59 || second > 60) {
    return undefined;
  }
  const zone = zoneOf(match[10]);
  if (zone === undefined) {
    return undefined;
  }
  const fraction = match[9] === undefined ? 0 : Math.floor(Number(`0.${match[9].slice(0, 6)}`) * 1000 + 1e-6);
  return midnight + ((hour * 60 + minute - zone) * 60 + second) * 1000 + fraction;
}

/** Returns the offset from UTC in minutes; positive for zones ahead of UTC. */
function zoneOf(text: string | undefined): number | undefined {
  if (text === undefined || text.length === 1) {
    return 0;
  }
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) {
    return undefined;
  }
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
