import { LAST_WEEK, type Recurrence } from './recurrence.ts';

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const ordinals = ['first', 'second', 'third', 'fourth', 'last'] as const;

/**
 * Returns a recurrence as text: "On the third Tuesday of every month, 08:00 to 12:00, with no end date". `write` formats
 * a day.
 */
export function recurrenceWords(recurrence: Recurrence, write = dayWords): string {
  const { repeats, firstDay, lastDay } = recurrence;
  const times = timeWords(recurrence, write);
  if (repeats === 'once') return `Once, on ${write(firstDay)}, ${times}`;
  const until = lastDay === null ? 'with no end date' : `until ${write(lastDay)}`;
  return `${dayRule(recurrence)}, ${times}, ${until}`;
}

/** Returns the days of a recurrence: "Every Wednesday". */
export function dayRule({ repeats, firstDay, weekday, week, dayOfMonth }: Recurrence): string {
  const name = weekdayNames[(weekday ?? 1) - 1] ?? '';
  if (repeats === 'once') return `On ${dayWords(firstDay)}`;
  if (repeats === 'weekly') return `Every ${name}`;
  if (repeats === 'monthly-weekday') return `On the ${ordinalOf(week)} ${name} of every month`;
  return dayOfMonth !== null && dayOfMonth > 28
    ? `On day ${dayOfMonth} of every month that has it`
    : `On day ${dayOfMonth} of every month`;
}

export function ordinalOf(week: number | null): string {
  return ordinals[Math.min(week ?? 1, LAST_WEEK) - 1] ?? 'first';
}

function timeWords({ repeats, firstDay, fromTime, toTime, days }: Recurrence, write: typeof dayWords): string {
  if (days === 0) return `${fromTime} to ${toTime}`;
  if (repeats === 'once') return `${fromTime} to ${write(dayAfter(firstDay, days))}, ${toTime}`;
  return days === 1 ? `${fromTime} to ${toTime} on the next day` : `${fromTime} to ${toTime}, ${days} days later`;
}

/** Returns the day that is `days` later, both written as 2026-11-17. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns 2026-11-17 as "Tue 17 Nov 2026". */
export function dayWords(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const weekday = weekdayNames[(date.getUTCDay() + 6) % 7] ?? '';
  return `${weekday.slice(0, 3)} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
