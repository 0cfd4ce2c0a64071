import { localTime } from '../../../domain/week.ts';

/** A date that calls itself by the clock of a zone: what a chart needs that knows only the browser's own zone. */
export function wallDate(at: number, timeZone: string): Date {
  const { year, month, day, hour, minute, second } = localTime(new Date(at), timeZone);
  return new Date(year, month - 1, day, hour, minute, second, at % 1000);
}
