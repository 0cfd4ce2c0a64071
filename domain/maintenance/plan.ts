import { type Occurrence, occurrencesBetween, type Recurrence } from './recurrence.ts';
import { type RecurrenceRefusal, refuseRecurrence } from './refusals.ts';

/** How far ahead occurrences are stored: 400 days, so that the calendar shows a year. */
const PLANNED_AHEAD_MS = 400 * 86_400_000;

/** The occurrences to store for a window, and the time up to which they are complete. */
export interface MaintenancePlan {
  occurrences: Occurrence[];
  until: number;
}

/** Returns the plan of a window that is saved at `now`, or why it cannot be saved. */
export function planWindow(
  recurrence: Recurrence,
  timeZone: string,
  now: number,
): MaintenancePlan | { refused: RecurrenceRefusal } {
  const refused = refuseRecurrence(recurrence, timeZone, now);
  return refused ? { refused } : planAhead(recurrence, timeZone, now);
}

/** Returns the occurrences that have not ended, up to 400 days after now or after the first day, whichever is later. */
export function planAhead(recurrence: Recurrence, timeZone: string, now: number): MaintenancePlan {
  const start = Math.max(now, Date.parse(`${recurrence.firstDay}T00:00:00Z`));
  const until = start + PLANNED_AHEAD_MS;
  return { occurrences: occurrencesBetween(recurrence, timeZone, now, until), until };
}
