import type { Severity } from '../../../domain/rule/priority.ts';
import type { ShapeName } from './shapes.ts';

export type { Severity };

/** An alarm that a measurement can raise, with its frequency per week and its usual extent. */
export interface AlarmKind {
  side: 'above' | 'below' | 'state';
  /** The limit, or the alarm state of a digital measurement. */
  limit: number;
  severity: Severity;
  debounce: number;
  message: string;
  reasons: keyof typeof reasons;
  perWeek: number;
  /** Usual duration in minutes. */
  minutes: number;
  /** Maximum distance of the value from the limit. */
  far: number;
}

export interface PointKind {
  name: string;
  unit: string;
  /** Stored type of the measurement: 1 digital, 2 analog, 3 counter. */
  type: 1 | 2 | 3;
  decimals: number;
  low: number;
  high: number;
  shape: ShapeName;
  states?: readonly [string, string];
  /**
   * Name of another measurement of the asset. While that measurement is in alarm, the value of this measurement is 0.
   */
  haltedBy?: string;
  alarms: readonly AlarmKind[];
}

export interface AssetKind {
  name: string;
  description: string;
  points: readonly PointKind[];
}

export interface SiteKind {
  code: string;
  type: string;
  category: string;
  /** Suffix of a generated site name. */
  suffix: string;
  healthHours: number;
  assets: readonly AssetKind[];
}

export const reasons = {
  level: ['Crew on the way', 'Storm flow, under observation', 'Planned work', 'Sensor fault'],
  pump: ['Crew on the way', 'Reset from the control room', 'Planned work'],
  power: ['Supply company informed', 'Generator on the way', 'Planned work'],
  battery: ['Battery ordered', 'Watching', 'Sensor fault'],
  cold: ['Engineer called', 'Door was left open', 'Defrost', 'Sensor fault'],
  door: ['Delivery in progress', 'Door closed by hand', 'Sensor fault'],
  supply: ['Crew on the way', 'Burst suspected', 'Hydrant in use', 'Sensor fault'],
  quality: ['Dosing adjusted', 'Sample taken', 'Instrument being cleaned'],
  silent: ['Network fault reported', 'Power cut in the area', 'Crew on the way', 'Planned work'],
} as const;

/** Reasons for alarms that required no action. */
export const nuisanceReasons: ReadonlySet<string> = new Set([
  'Sensor fault',
  'Planned work',
  'Instrument being cleaned',
]);

type Range = readonly [number, number];

export function analog(
  name: string,
  unit: string,
  decimals: number,
  [low, high]: Range,
  shape: ShapeName,
  ...alarms: AlarmKind[]
): PointKind {
  return { name, unit, type: 2, decimals, low, high, shape, alarms };
}

export function digital(
  name: string,
  states: readonly [string, string],
  shape: ShapeName,
  ...alarms: AlarmKind[]
): PointKind {
  return { name, unit: '', type: 1, decimals: 0, low: 0, high: 1, shape, states, alarms };
}

export function counter(name: string, unit: string, [low, high]: Range, shape: ShapeName): PointKind {
  return { name, unit, type: 3, decimals: 0, low, high, shape, alarms: [] };
}

type Rest = Omit<AlarmKind, 'side' | 'limit' | 'message'>;
export const above = (limit: number, message: string, rest: Rest): AlarmKind => ({
  side: 'above',
  limit,
  message,
  ...rest,
});
export const below = (limit: number, message: string, rest: Rest): AlarmKind => ({
  side: 'below',
  limit,
  message,
  ...rest,
});
export const inState = (limit: 0 | 1, message: string, rest: Omit<Rest, 'far'>): AlarmKind => ({
  side: 'state',
  limit,
  message,
  ...rest,
  far: 0,
});

const mains = digital(
  'Mains',
  ['Off', 'On'],
  'steady',
  inState(0, 'Mains power lost', { severity: 'major', debounce: 30, reasons: 'power', perWeek: 0.05, minutes: 45 }),
);
export const battery = analog(
  'Battery voltage',
  'V',
  1,
  [12.1, 13.4],
  'battery',
  below(11.8, 'Battery voltage low', {
    severity: 'minor',
    debounce: 900,
    reasons: 'battery',
    perWeek: 0.05,
    minutes: 240,
    far: 0.4,
  }),
);
export const power: AssetKind = {
  name: 'Power',
  description: 'Supply and telemetry cabinet',
  points: [mains, battery],
};
