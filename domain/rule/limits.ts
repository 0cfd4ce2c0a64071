import type { Position } from './step.ts';

/** Limits of a rule. A limit that is not set is infinite. */
export interface Limits {
  readonly lower: number;
  readonly upper: number;
  /** Clear limits; equal to the limits unless the rule sets them. */
  readonly clearLower: number;
  readonly clearUpper: number;
}

export interface LimitFields {
  lower: number | null;
  upper: number | null;
  clearLower: number | null;
  clearUpper: number | null;
}

export function limitsOf({ lower, upper, clearLower, clearUpper }: LimitFields): Limits {
  const least = lower ?? Number.NEGATIVE_INFINITY;
  const most = upper ?? Number.POSITIVE_INFINITY;
  return { lower: least, upper: most, clearLower: clearLower ?? least, clearUpper: clearUpper ?? most };
}

/**
 * Formats the clear limits: `at 4 °C or less`, `between 2 and 4 °C`. Returns an empty text if the rule has no clear
 * limits. On a side without a clear limit, the limit itself applies.
 */
export function clearWords(fields: LimitFields, unit: string, format: (value: number) => string): string {
  const { lower, upper } = fields;
  const from = fields.clearLower ?? lower;
  const to = fields.clearUpper ?? upper;
  if (from === lower && to === upper) return '';
  const figure = (value: number) => (unit === '' ? format(value) : `${format(value)}\u00a0${unit}`);
  if (from === null) return to === null ? '' : `at ${figure(to)} or less`;
  if (to === null) return `at ${figure(from)} or more`;
  return from === to ? `at ${figure(to)}` : `between ${format(from)} and ${figure(to)}`;
}

/** Returns the position of a value. A value equal to the limit is inside. */
export function placeValue(limits: Limits, value: number): Position {
  if (value < limits.lower) return 'below';
  if (value > limits.upper) return 'above';
  return value < limits.clearLower || value > limits.clearUpper ? 'between' : 'inside';
}

/**
 * Returns the position of a value of a digital channel. Alarm conditions: 0 low state, 1 high state, 2 no alarm state.
 */
export function placeState(alarmCondition: number, value: number): Position {
  if (alarmCondition === 0) return value === 0 ? 'alarm' : 'inside';
  if (alarmCondition === 1) return value === 0 ? 'inside' : 'alarm';
  return 'inside';
}

/** Returns how far a value is beyond its nearest limit; negative if the value is inside. */
export function distanceOut(limits: Limits, value: number): number {
  return Math.max(limits.lower - value, value - limits.upper);
}
