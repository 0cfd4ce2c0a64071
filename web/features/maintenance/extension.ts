import { nextOccurrences, type Recurrence } from '../../../domain/maintenance/recurrence.ts';
import { refuseRecurrence } from '../../../domain/maintenance/refusals.ts';
import { localTime } from '../../../domain/week.ts';
import { isDay, writeDay } from '../../ui/date/day-text.ts';
import { recurrenceOf, type WindowInput, type WindowRow } from './maintenance.queries.ts';
import { dayOf } from './window-values.ts';

/** A new end: a day such as 2026-11-17 and a time such as 08:00. */
export interface NewEnd {
  day: string;
  time: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the time of day in the zone, such as 08:00. */
function clockOf(at: Date, timeZone: string): string {
  const { hour, minute } = localTime(at, timeZone);
  return [hour, minute].map((number) => String(number).padStart(2, '0')).join(':');
}

/** Returns the end that the dialog suggests: an hour after the current one. */
export function suggestedEnd(endsAt: string, timeZone: string): NewEnd {
  const at = new Date(Date.parse(endsAt) + HOUR);
  return { day: dayOf(at, timeZone), time: clockOf(at, timeZone) };
}

/**
 * Returns the window to save so that the maintenance in progress ends later. A window that does not repeat gets the new
 * end. For a window that repeats, returns an additional window that begins when the occurrence ends, because a new end
 * would change every occurrence.
 */
export function extensionOf(window: WindowRow, endsAt: string, { day, time }: NewEnd, timeZone: string): WindowInput {
  const { uuid, name, scope, targetUuid, suppresses } = window;
  const end = new Date(endsAt);
  const isOnce = window.repeats === 'once';
  const own = isOnce ? recurrenceOf(window) : null;
  const firstDay = own?.firstDay ?? dayOf(end, timeZone);
  return {
    ...(isOnce && { uuid, seen: window.updatedAt }),
    ...{ name, scope, targetUuid, suppresses, repeats: 'once', firstDay, lastDay: null },
    ...{ fromTime: own?.fromTime ?? clockOf(end, timeZone), toTime: time },
    days: Math.round((Date.parse(day) - Date.parse(firstDay)) / DAY),
    ...{ weekday: null, week: null, dayOfMonth: null },
  };
}

/** Returns the time at which an extension ends. */
export function endOfExtension(extension: Recurrence, timeZone: string, now: number): string | null {
  const [occurrence] = nextOccurrences(extension, timeZone, now, 1);
  return occurrence ? new Date(occurrence.endsAt).toISOString() : null;
}

/** Returns the problems of a new end by field. The server checks the same rules, and that no other window overlaps. */
export function extensionProblems(
  window: WindowRow,
  endsAt: string,
  end: NewEnd,
  timeZone: string,
  now: number,
): Partial<Record<keyof NewEnd, string>> {
  if (!isDay(end.day)) return { day: `Enter a date, such as ${writeDay('2026-11-17')}.` };
  const extension = extensionOf(window, endsAt, end, timeZone);
  const refused = refuseRecurrence(extension, timeZone, now);
  if (refused?.field === 'days' && extension.days > 0) return { day: refused.sentence };
  if (refused?.field === 'toTime' && !/^\d\d:\d\d$/.test(end.time)) return { time: refused.sentence };
  const newEnd = refused ? null : endOfExtension(extension, timeZone, now);
  if (newEnd !== null && Date.parse(newEnd) > Date.parse(endsAt)) return {};
  return { time: 'The end is not later than now planned. Choose a later end, or end the window now.' };
}
