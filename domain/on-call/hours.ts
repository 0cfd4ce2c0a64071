import { clockAt, midnightOfClock, msOfTime, timeOfClock, weekdayOfClock } from './local.ts';
import { DAY_MS, type LayerHours, type Period, type RotaLayer } from './rota.ts';

const isAllDay = ({ from, to }: LayerHours): boolean => from === '00:00' && to === '00:00';

/**
 * Returns the hours of a layer in a range, in order, without overlap. Hours over midnight end on the next day. After a
 * day that is covered all day, they also cover the morning: with Mon to Fri 18:00 to 08:00, and Sat and Sun all day, the
 * weekend lasts from Friday 18:00 to Monday 08:00.
 */
export function hoursBetween(
  { hours, timeZone }: Pick<RotaLayer, 'hours' | 'timeZone'>,
  from: number,
  until: number,
): Period[] {
  if (until <= from) return [];
  if (hours.length === 0) return [{ startsAt: from, endsAt: until }];
  const allDay = new Set(hours.filter(isAllDay).flatMap(({ weekdays }) => weekdays));
  const found: Period[] = [];
  const add = (start: number, end: number) => {
    const startsAt = Math.max(from, timeOfClock(start, timeZone));
    // An hour that occurs twice is covered twice.
    const endsAt = Math.min(until, timeOfClock(end, timeZone, 'last'));
    if (endsAt > startsAt) found.push({ startsAt, endsAt });
  };
  const last = clockAt(until, timeZone);
  for (let day = midnightOfClock(clockAt(from, timeZone)) - DAY_MS; day <= last; day += DAY_MS) {
    const weekday = weekdayOfClock(day);
    for (const range of hours) {
      if (!range.weekdays.includes(weekday)) continue;
      const [start, end] = [msOfTime(range.from), msOfTime(range.to)];
      add(day + start, day + end + (end <= start ? DAY_MS : 0));
      if (end < start && allDay.has(weekday === 1 ? 7 : weekday - 1)) add(day, day + end);
    }
  }
  return joined(found);
}

/** Returns whether a time is in the hours of a layer. */
export function isInHours(layer: Pick<RotaLayer, 'hours' | 'timeZone'>, at: number): boolean {
  return hoursBetween(layer, at, at + 1).length > 0;
}

/** Returns the periods in order. Joins those that overlap or follow each other. */
export function joined(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of periods.toSorted((a, b) => a.startsAt - b.startsAt)) {
    const previous = result.at(-1);
    if (previous && period.startsAt <= previous.endsAt) previous.endsAt = Math.max(previous.endsAt, period.endsAt);
    else result.push({ ...period });
  }
  return result;
}
