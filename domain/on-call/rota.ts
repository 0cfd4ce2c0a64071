/** A person of a rota. A deleted or disabled person stays in the rota, and their shifts are gaps. */
export interface RotaPerson {
  uuid: string;
  name: string;
  isActive: boolean;
}

/** Weekdays, from 1 (Monday) to 7, with the times at which the hours begin and end, such as 18:00. */
export interface LayerHours {
  weekdays: readonly number[];
  from: string;
  /** At or before `from`: on the next day. All day is 00:00 to 00:00. */
  to: string;
}

/**
 * Changes who is on call in a period. With `off`, it changes only the shifts of this person. Without `cover`, these
 * shifts are gaps.
 */
export interface RotaOverride {
  uuid: string;
  startsAt: number;
  /** Not part of the override. */
  endsAt: number;
  off: RotaPerson | null;
  cover: RotaPerson | null;
  reason: string;
}

/** People who are on call in turn. Days and times are those of the layer's time zone. */
export interface RotaLayer {
  uuid: string;
  name: string;
  /** The turn of the first person begins on `firstDay` at `handoverTime`. */
  people: readonly RotaPerson[];
  /** The length of a turn on the clock: a day is 24 hours, also when the clock changes. */
  turnHours: number;
  firstDay: string;
  handoverTime: string;
  timeZone: string;
  /** Empty: around the clock. */
  hours: readonly LayerHours[];
  overrides: readonly RotaOverride[];
}

export interface Rota {
  uuid: string;
  name: string;
  layers: readonly RotaLayer[];
}

/** `endsAt` is not part of the period. */
export interface Period {
  startsAt: number;
  endsAt: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_HOURS = 24;
export const WEEK_HOURS = 7 * DAY_HOURS;
