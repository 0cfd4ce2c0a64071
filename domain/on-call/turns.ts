import { clockAt, dayOfClock, midnightOfClock, msOfTime, timeOfClock, weekdayOfClock } from './local.ts';
import { DAY_MS, HOUR_MS, type RotaLayer, type RotaPerson, WEEK_HOURS } from './rota.ts';

type Turns = Pick<RotaLayer, 'people' | 'turnHours' | 'firstDay' | 'handoverTime' | 'timeZone'>;

const firstClock = ({ firstDay, handoverTime }: Turns): number =>
  Date.parse(`${firstDay}T00:00:00Z`) + msOfTime(handoverTime);

/** Returns when a turn begins. The turn 0 is the first one of the first person; earlier turns have negative numbers. */
export function startOfTurn(layer: Turns, turn: number): number {
  return timeOfClock(firstClock(layer) + turn * layer.turnHours * HOUR_MS, layer.timeZone);
}

/** Returns the number of the turn at a time. */
export function turnAt(layer: Turns, at: number): number {
  // The clock never shows the start of a turn before the turn starts. It can show an earlier time again afterwards.
  let turn = Math.floor((clockAt(at, layer.timeZone) - firstClock(layer)) / (layer.turnHours * HOUR_MS));
  while (startOfTurn(layer, turn + 1) <= at) turn += 1;
  return turn;
}

export function personOfTurn({ people }: Turns, turn: number): RotaPerson | null {
  return people[((turn % people.length) + people.length) % people.length] ?? null;
}

/**
 * Returns the people in the order of their turns from `at`, and the day on which the turn at `at` began. A layer with
 * them has the same turns.
 */
export function turnsFrom(layer: Turns, at: number): { people: RotaPerson[]; firstDay: string } {
  const turn = turnAt(layer, at);
  const people = layer.people.map((_, index) => personOfTurn(layer, turn + index) as RotaPerson);
  return { people, firstDay: dayOfClock(firstClock(layer) + turn * layer.turnHours * HOUR_MS) };
}

/** Returns the latest day, not after now, on which a turn can begin. Weekly turns begin on `weekday`, from 1 to 7. */
export function lastHandoverDay(
  { turnHours, handoverTime, timeZone }: Pick<RotaLayer, 'turnHours' | 'handoverTime' | 'timeZone'>,
  weekday: number,
  now: number,
): string {
  const today = midnightOfClock(clockAt(now, timeZone));
  const fits = (day: number) =>
    (turnHours !== WEEK_HOURS || weekdayOfClock(day) === weekday) &&
    timeOfClock(day + msOfTime(handoverTime), timeZone) <= now;
  let day = today;
  // Today's handover can be later, so that a week has to be searched from yesterday on.
  while (!fits(day) && day > today - 8 * DAY_MS) day -= DAY_MS;
  return dayOfClock(day);
}
