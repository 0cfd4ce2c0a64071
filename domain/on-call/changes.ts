import { clockAt } from './local.ts';
import { DAY_MS, HOUR_MS, type Period, type RotaLayer, type RotaPerson, WEEK_HOURS } from './rota.ts';
import { type Assignment, onCallAt, type Shift, shiftsBetween } from './shifts.ts';

/** From `at`, another person is on call, or nobody. */
export interface Handover {
  at: number;
  from: RotaPerson | null;
  to: RotaPerson | null;
  /** The shift that ends, and the one that begins. */
  before: Shift;
  after: Shift;
}

const lookback = ({ turnHours }: RotaLayer): number => (turnHours + WEEK_HOURS) * HOUR_MS;

/** Returns the handovers of a range, in order. Outside the hours of the layer nobody takes over. */
export function handoversBetween(layer: RotaLayer, from: number, until: number): Handover[] {
  const handovers: Handover[] = [];
  let before: Shift | undefined;
  for (const after of shiftsBetween(layer, from - lookback(layer), until)) {
    if (before && before.person?.uuid !== after.person?.uuid && after.startsAt >= from) {
      handovers.push({ at: after.startsAt, from: before.person, to: after.person, before, after });
    }
    before = after;
  }
  return handovers;
}

/** Who is on call at a time and who is next. Both can be a gap. */
export interface LayerNow {
  /** Null outside the hours of the layer. */
  current: Assignment | null;
  /** When the present state ends; null if it lasts for more than a year. */
  until: number | null;
  /** The next shift of another person, or the next shift if `current` is null; null if there is none within a year. */
  next: Shift | null;
}

const FAR_AHEAD = 400 * DAY_MS;

/** Returns the state of a layer at a time. */
export function layerNow(layer: RotaLayer, at: number): LayerNow {
  const current = onCallAt(layer, at);
  let until: number | null = null;
  let reached = at;
  for (let ahead = lookback(layer); ; ahead *= 3) {
    const end = at + Math.min(ahead, FAR_AHEAD);
    until = null;
    reached = at;
    for (const shift of shiftsBetween(layer, at, end)) {
      const isOther = current === null || shift.person?.uuid !== current.person?.uuid;
      if (current !== null && until === null && (isOther || shift.startsAt > reached)) until = reached;
      if (isOther) return { current, until: until ?? shift.startsAt, next: shift };
      reached = shift.endsAt;
    }
    if (ahead >= FAR_AHEAD) return { current, until, next: null };
  }
}

/** A change of the clock, and by how much it goes forward, in milliseconds. */
export interface ClockChange {
  at: number;
  forwardMs: number;
}

/** Returns the next change of the clock in a time zone; undefined if there is none within 400 days. */
export function nextClockChange(timeZone: string, from: number): ClockChange | undefined {
  const offset = (at: number) => clockAt(at, timeZone) - at;
  let before = Math.floor(from / 1000) * 1000;
  const last = before + FAR_AHEAD;
  while (before < last && offset(before + DAY_MS) === offset(before)) before += DAY_MS;
  if (before >= last) return undefined;
  let after = before + DAY_MS;
  const forwardMs = offset(after) - offset(before);
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (offset(middle) === offset(before)) before = middle;
    else after = middle;
  }
  return { at: after, forwardMs };
}

/** Returns the length of a period in whole minutes. */
export const minutesOf = ({ startsAt, endsAt }: Period): number => Math.round((endsAt - startsAt) / 60_000);
