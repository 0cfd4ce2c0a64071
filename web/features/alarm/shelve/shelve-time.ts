import { fieldSentences } from '../../../../domain/field-sentences.ts';
import { localTime, momentOf } from '../../../../domain/week.ts';
import { isDay, readTime } from '../../../ui/date/day-text.ts';

const MINUTE = 60_000;
const HOUR_MINUTES = 60;

/** Value of the option to choose an end time instead of a duration. */
export const UNTIL = 'until';

const durations = [
  { value: '15', label: '15 min' },
  { value: '60', label: '1 h' },
  { value: '240', label: '4 h' },
  { value: '480', label: '8 h' },
  { value: '1440', label: '24 h' },
] as const;

export const standardDuration = '60';

export interface ChosenTime {
  /** Duration in minutes, or `UNTIL`. */
  duration: string;
  /** Local date and time if `duration` is `UNTIL`: `2026-11-12T15:30`, or what the user typed instead. */
  until: string;
}

/** Returns the durations that the user may choose. */
export function durationOptions(longestHours: number): { value: string; label: string }[] {
  return [
    ...durations.filter(({ value }) => Number(value) <= longestHours * HOUR_MINUTES),
    { value: UNTIL, label: 'Until…' },
  ];
}

/** Returns the label of a duration: `1 h`. Empty for `UNTIL`. */
export function durationLabel(duration: string): string {
  return durations.find(({ value }) => value === duration)?.label ?? '';
}

/** Returns the end of the shelving; null if no valid time is chosen. */
export function endOf({ duration, until }: ChosenTime, now: Date, timeZone: string): Date | null {
  if (duration !== UNTIL) return new Date(now.getTime() + Number(duration) * MINUTE);
  const [date = '', clock = ''] = until.split('T');
  if (!isDay(date) || readTime(clock) !== clock) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = until.split(/[-T:]/).map(Number);
  return momentOf({ year, month, day, hour, minute }, timeZone);
}

/**
 * Returns the end as the server expects it: minutes for a duration, otherwise a time. Returns null if no valid time is
 * chosen.
 */
export function endToSend(
  time: ChosenTime,
  now: Date,
  timeZone: string,
): { minutes: number } | { until: string } | null {
  if (time.duration !== UNTIL) return { minutes: Number(time.duration) };
  const end = endOf(time, now, timeZone);
  return end && { until: end.toISOString() };
}

/** Returns why the chosen time is not allowed, or null if it is allowed. All durations in the list are allowed. */
export function timeProblem(time: ChosenTime, now: Date, timeZone: string, longestHours: number): string | null {
  if (time.duration !== UNTIL) return null;
  const end = endOf(time, now, timeZone);
  if (end === null) return 'Choose the date and time at which the shelving ends.';
  if (end <= now) return fieldSentences['shelve-past'];
  // The server allows one minute more, because the user needs time to enter a reason.
  return end.getTime() > now.getTime() + (longestHours * HOUR_MINUTES + 1) * MINUTE
    ? `You may shelve for at most ${longestWords(longestHours)}.`
    : null;
}

/** Formats the maximum: `24 hours`, `7 days`. */
export function longestWords(hours: number): string {
  if (hours % 24 === 0 && hours > 24) return `${hours / 24} days`;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** Returns the day and time that the fields suggest as the end: an hour from now. */
export function suggestedEnd(now: Date, timeZone: string): [day: string, time: string] {
  const { year, month, day, hour, minute } = localTime(new Date(now.getTime() + HOUR_MINUTES * MINUTE), timeZone);
  const two = (number: number) => String(number).padStart(2, '0');
  return [`${year}-${two(month)}-${two(day)}`, `${two(hour)}:${two(minute)}`];
}
