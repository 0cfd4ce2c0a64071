import { formatAge } from '../../../domain/age.ts';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import type { Recurrence, Repeats } from '../../../domain/maintenance/recurrence.ts';
import { refuseRecurrence } from '../../../domain/maintenance/refusals.ts';
import { dayAfter } from '../../../domain/maintenance/words.ts';
import { localTime } from '../../../domain/week.ts';
import type { Option } from '../../kit/record/Picker.tsx';
import { isDay, readTime, writeDay } from '../../ui/date/day-text.ts';
import { recurrenceOf, type WindowInput, type WindowRow } from './maintenance.queries.ts';
import type { Scope } from './window-words.ts';

/** The fields of the form. Choices and numbers are strings, as in form fields. */
export type WindowValues = {
  name: string;
  scope: Scope;
  targetUuid: Option | null;
  repeats: Repeats;
  firstDay: string;
  /** The day on which a window that does not repeat ends. */
  endDay: string;
  lastDay: string;
  fromTime: string;
  toTime: string;
  /** Number of days from the start of an occurrence to its end, for a window that repeats. */
  days: string;
  weekday: string;
  week: string;
  dayOfMonth: string;
  suppresses: string;
};

const DAY = 86_400_000;
const two = (number: number) => String(number).padStart(2, '0');

/** Returns the day of a time in the zone, such as 2026-11-17. */
export function dayOf(at: Date, timeZone: string): string {
  const { year, month, day } = localTime(at, timeZone);
  return `${year}-${two(month)}-${two(day)}`;
}

/** Returns the values of a new window: tomorrow from 08:00 to 12:00. */
export function newWindow(now: Date, timeZone: string): WindowValues {
  const day = dayAfter(dayOf(now, timeZone), 1);
  return {
    ...{ name: '', scope: 'site', targetUuid: null, suppresses: 'notifications', repeats: 'once' },
    ...{ firstDay: day, endDay: day, lastDay: '', fromTime: '08:00', toTime: '12:00', days: '0' },
    ...suggestions(day),
  };
}

/** Returns a day's weekday, its week in the month and its day of the month, to fill in the recurrence fields. */
function suggestions(day: string) {
  const date = new Date(`${day}T00:00:00Z`);
  return {
    weekday: String(((date.getUTCDay() + 6) % 7) + 1),
    week: String(Math.ceil(date.getUTCDate() / 7)),
    dayOfMonth: String(date.getUTCDate()),
  };
}

export function valuesOf(window: WindowRow): WindowValues | null {
  const recurrence = recurrenceOf(window);
  if (recurrence === null) return null;
  const { repeats, firstDay, lastDay, fromTime, toTime, days, weekday, week, dayOfMonth } = recurrence;
  const suggested = suggestions(firstDay);
  return {
    name: window.name,
    scope: window.scope as Scope,
    targetUuid: { value: window.targetUuid, label: window.targetName },
    suppresses: window.suppresses,
    ...{ repeats, firstDay, endDay: dayAfter(firstDay, days), lastDay: lastDay ?? '', fromTime, toTime },
    days: repeats === 'once' ? '0' : String(days),
    weekday: weekday === null ? suggested.weekday : String(weekday),
    week: week === null ? suggested.week : String(week),
    dayOfMonth: dayOfMonth === null ? suggested.dayOfMonth : String(dayOfMonth),
  };
}

const wholeOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

export function recurrenceOfValues(values: WindowValues): Recurrence {
  const { repeats, firstDay, endDay, lastDay, fromTime, toTime } = values;
  const isOnce = repeats === 'once';
  return {
    ...{ repeats, firstDay, lastDay: isOnce || lastDay === '' ? null : lastDay, fromTime, toTime },
    days: isOnce ? Math.round((Date.parse(endDay) - Date.parse(firstDay)) / DAY) : Number(values.days),
    weekday: repeats === 'weekly' || repeats === 'monthly-weekday' ? wholeOf(values.weekday) : null,
    week: repeats === 'monthly-weekday' ? wholeOf(values.week) : null,
    dayOfMonth: repeats === 'monthly-day' ? wholeOf(values.dayOfMonth) : null,
  };
}

/** Returns how long an occurrence lasts by the clock, such as `4 h`. Empty for an invalid end. */
export function lengthOf(values: WindowValues): string {
  const { days, fromTime, toTime } = recurrenceOfValues(values);
  const [from, to] = [fromTime, toTime].map((time) => Date.parse(`1970-01-01T${readTime(time) ?? 'no'}:00Z`));
  const length = (to ?? 0) - (from ?? 0) + days * DAY;
  return length > 0 ? formatAge(length) : '';
}

/** Returns an instruction for each day that is missing or does not exist. */
function dayProblems({ repeats, firstDay, endDay, lastDay }: WindowValues) {
  const days = repeats === 'once' ? { firstDay, endDay } : { firstDay, ...(lastDay !== '' && { lastDay }) };
  const example = `Enter a date, such as ${writeDay('2026-11-17')}.`;
  return Object.fromEntries(Object.entries(days).flatMap(([field, day]) => (isDay(day) ? [] : [[field, example]])));
}

/** Returns an error for each invalid field. The server checks the same rules. */
export function problemsOf(
  values: WindowValues,
  timeZone: string,
  now: number,
): Partial<Record<keyof WindowValues, string>> {
  const noDays = dayProblems(values);
  const hasDays = Object.keys(noDays).length === 0;
  // Without valid days, the other fields are checked with days that fit any recurrence.
  const anyDays = hasDays ? {} : { firstDay: '2999-01-01', lastDay: null, days: 1 };
  const refused = refuseRecurrence({ ...recurrenceOfValues(values), ...anyDays }, timeZone, now);
  const isOnce = values.repeats === 'once';
  // For a window that does not repeat, the form has an end day instead of a number of days.
  const field = refused?.field === 'days' && isOnce ? 'endDay' : refused?.field;
  const isBackwards = isOnce && hasDays && values.endDay < values.firstDay;
  return {
    ...(values.name.trim() === '' && { name: fieldSentences['name-missing'] }),
    ...(values.targetUuid === null && { targetUuid: `Choose a ${values.scope}.` }),
    ...noDays,
    ...(refused && field && { [field]: refused.sentence }),
    ...(isBackwards && { endDay: 'The end is not after the start. Choose a later day.' }),
  };
}

export function inputOf(values: WindowValues, uuid: string | undefined): WindowInput {
  const { name, scope, targetUuid, suppresses } = values;
  return {
    ...(uuid !== undefined && { uuid }),
    ...{ name: name.trim(), scope, targetUuid: targetUuid?.value ?? '', suppresses },
    ...recurrenceOfValues(values),
  };
}
