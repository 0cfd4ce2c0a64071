import { localTime, reachedAt } from '../week.ts';
import { DAY_MS } from './rota.ts';

/** Returns what the clock of the zone shows, as if it were UTC, so that it can be compared and added to. */
export function clockAt(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(new Date(at), timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns the time at which the clock of the zone reaches what `clockAt` returns. */
export function timeOfClock(clock: number, timeZone: string, which: 'first' | 'last' = 'first'): number {
  const date = new Date(clock);
  const wanted = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
  return reachedAt(wanted, timeZone, which).getTime();
}

/** Returns 18:00 in milliseconds since midnight. */
export function msOfTime(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return (hour * 60 + minute) * 60_000;
}

/** Returns the weekday of a day on the clock, from 1 (Monday) to 7. */
export function weekdayOfClock(clock: number): number {
  return ((new Date(clock).getUTCDay() + 6) % 7) + 1;
}

/** Returns the day on the clock, such as 2026-11-16. */
export function dayOfClock(clock: number): string {
  return new Date(clock).toISOString().slice(0, 10);
}

/** Returns the start of the day on the clock. */
export function midnightOfClock(clock: number): number {
  return Math.floor(clock / DAY_MS) * DAY_MS;
}
