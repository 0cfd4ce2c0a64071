import { localTime } from '../../../domain/week.ts';

/** Returns a date whose local fields show the time in another zone. uPlot supports only the browser's zone. */
export function wallDate(at: number, timeZone: string): Date {
  const { year, month, day, hour, minute, second } = localTime(new Date(at), timeZone);
  return new Date(year, month - 1, day, hour, minute, second, at % 1000);
}
