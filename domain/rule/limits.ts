import type { Position } from './step.ts';

/** What a value is held against. A limit that is not there is infinitely far away. */
export interface Limits {
  readonly lower: number;
  readonly upper: number;
  /** Where a value counts as inside again; the same as the limits where a rule says nothing else. */
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
 * Where an alarm clears, where that is not all that lies inside its limits: `at 4 °C or less`, `between 2 and 4 °C`, else empty. A side
 * without a clear limit of its own clears at its limit.
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

/** On a limit is inside it. */
export function placeValue(limits: Limits, value: number): Position {
  if (value < limits.lower) return 'below';
  if (value > limits.upper) return 'above';
  return value < limits.clearLower || value > limits.clearUpper ? 'between' : 'inside';
}

/** The alarm condition of a digital channel: 0 the low state is the alarm, 1 the high state is, 2 neither. */
export function placeState(alarmCondition: number, value: number): Position {
  if (alarmCondition === 0) return value === 0 ? 'alarm' : 'inside';
  if (alarmCondition === 1) return value === 0 ? 'inside' : 'alarm';
  return 'inside';
}

/** How far a value lies beyond the limit it is nearest to, or passed; less than nothing while it is inside. */
export function distanceOut(limits: Limits, value: number): number {
  return Math.max(limits.lower - value, value - limits.upper);
}
