import { wave } from './chance.ts';

/** A function of time with values from 0 to 1. `key` varies the curve by channel. */
export type Curve = (time: number, key: number, periodMs: number) => number;
export type Curves = Readonly<Record<string, Curve>>;

const turn = (time: number, periodMs: number) => (time % periodMs) / periodMs;

export const builtInCurves = {
  flat: () => 0.5,
  sine: (time, _key, period) => 0.5 - 0.5 * Math.cos(2 * Math.PI * turn(time, period)),
  sawtooth: (time, _key, period) => turn(time, period),
  square: (time, _key, period) => (turn(time, period) < 0.5 ? 0 : 1),
  wander: (time, key, period) => wave(key, time / period),
} as const satisfies Curves;
