import { momentOf } from '../week.ts';
import { LAST_WEEK, nextOccurrences, type Recurrence, repeatKinds } from './recurrence.ts';

export interface RecurrenceRefusal {
  field: keyof Recurrence;
  sentence: string;
}

/** Maximum length of a window that does not repeat, in days. */
export const MOST_DAYS = 366;
/**
 * An occurrence of a repeating window must end at most this many days after its start day, because the next occurrence
 * can start a week later.
 */
export const MOST_REPEATED_DAYS = 6;

/** Returns why a recurrence cannot be planned at `now`; undefined if it can. */
export function refuseRecurrence(recurrence: Recurrence, timeZone: string, now: number): RecurrenceRefusal | undefined {
  return refuseFields(recurrence) ?? refuseOrder(recurrence) ?? refuseAbsence(recurrence, timeZone, now);
}

function refuseFields(recurrence: Recurrence): RecurrenceRefusal | undefined {
  const { repeats, firstDay, lastDay, fromTime, toTime, days, weekday, week, dayOfMonth } = recurrence;
  const isOnce = repeats === 'once';
  const needsWeekday = repeats === 'weekly' || repeats === 'monthly-weekday';
  if (!repeatKinds.includes(repeats))
    return refuse('repeats', `Choose ${repeatKinds.slice(0, -1).join(', ')} or ${repeatKinds.at(-1)}.`);
  if (!isDay(firstDay)) return refuse('firstDay', 'Enter a date, such as 2026-11-17.');
  if (lastDay !== null && !isDay(lastDay)) return refuse('lastDay', 'Enter a date, such as 2026-11-17.');
  if (!isTime(fromTime)) return refuse('fromTime', 'Enter a time, such as 08:00.');
  if (!isTime(toTime)) return refuse('toTime', 'Enter a time, such as 12:00.');
  if (!isWhole(days, 0, isOnce ? MOST_DAYS : MOST_REPEATED_DAYS)) {
    return isOnce
      ? refuse('days', `A window lasts at most ${MOST_DAYS} days. Choose an earlier end.`)
      : refuse('days', `A window that repeats lasts at most ${MOST_REPEATED_DAYS} days. Choose an earlier end.`);
  }
  if (needsWeekday && !isWhole(weekday, 1, 7))
    return refuse('weekday', 'Choose a weekday from 1 (Monday) to 7 (Sunday).');
  if (repeats === 'monthly-weekday' && !isWhole(week, 1, LAST_WEEK)) {
    return refuse('week', `Choose a week from 1 to 4, or ${LAST_WEEK} for the last one of the month.`);
  }
  if (repeats === 'monthly-day' && !isWhole(dayOfMonth, 1, 31)) {
    return refuse('dayOfMonth', 'Choose a day of the month from 1 to 31.');
  }
  return undefined;
}

function refuseOrder({
  repeats,
  firstDay,
  lastDay,
  fromTime,
  toTime,
  days,
}: Recurrence): RecurrenceRefusal | undefined {
  if (days === 0 && toTime <= fromTime) return refuse('toTime', 'The end is not after the start. Choose a later end.');
  if (repeats !== 'once' && lastDay !== null && lastDay < firstDay) {
    return refuse('lastDay', 'The last day is before the first day. Choose a later last day.');
  }
  return undefined;
}

function refuseAbsence(recurrence: Recurrence, timeZone: string, now: number): RecurrenceRefusal | undefined {
  if (nextOccurrences(recurrence, timeZone, now, 1).length > 0) return undefined;
  const { repeats, firstDay, lastDay } = recurrence;
  if (repeats === 'once') {
    const isPast = momentOf(partsOf(firstDay), timeZone).getTime() < now;
    return isPast
      ? refuse('toTime', 'The window has ended already. Choose a later end.')
      : refuse('fromTime', 'The clocks skip this time on the chosen day. Choose another start or end.');
  }
  const isOver = lastDay !== null && momentOf(partsOf(lastDay), timeZone).getTime() + 2 * 86_400_000 < now;
  return isOver
    ? refuse('lastDay', 'The last day is in the past. Choose a later day.')
    : refuse('lastDay', 'No occurrence falls on or before this day. Choose a later last day, or another recurrence.');
}

const refuse = (field: keyof Recurrence, sentence: string): RecurrenceRefusal => ({ field, sentence });

function partsOf(day: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, day: date };
}

/** Returns whether the text is a day that exists. Date.parse rejects 2026-02-31 in this format. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

function isWhole(number: number | null, least: number, most: number): boolean {
  return number !== null && Number.isInteger(number) && number >= least && number <= most;
}
