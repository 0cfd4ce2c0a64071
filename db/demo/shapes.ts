import { noise } from './random.ts';

/**
 * What a healthy measurement looks like over time. Each shape answers from 0 to 1, the whole width of the measurement's
 * usual range; `key` tells one site's curve from another's. Times are milliseconds since 1970.
 */
export type Shape = (time: number, key: number) => number;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A number from 0 to 1 that belongs to a key. */
function trait(key: number, which: number): number {
  return (noise(key, which * 7919) + 1) / 2;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function hourOfDay(time: number): number {
  return (time % DAY) / HOUR;
}

/** A hump of the day around an hour, so wide in hours. */
function hump(hour: number, centre: number, width: number): number {
  const away = Math.min(Math.abs(hour - centre), 24 - Math.abs(hour - centre));
  return Math.exp(-(away * away) / (2 * width * width));
}

/** How far a wet well is through its cycle of filling and pumping down. It fills faster while people are up. */
function cycle(time: number, key: number): number {
  const period = (55 + 50 * trait(key, 1)) * MINUTE;
  const turns =
    time / period + 0.35 * Math.sin((2 * Math.PI * time) / DAY) + trait(key, 2) + 0.15 * noise(key, time / (5 * HOUR));
  return turns - Math.floor(turns);
}

const FILLING = 0.74;

/** Fills slowly, is pumped down fast. */
const sawtooth: Shape = (time, key) => {
  const at = cycle(time, key);
  const level = at < FILLING ? at / FILLING : (1 - at) / (1 - FILLING);
  return clamp(0.04 + 0.92 * level + 0.02 * noise(key, time / (4 * MINUTE)));
};

/** 1 while the pump of the same wet well runs. */
const pumping: Shape = (time, key) => (cycle(time, key) < FILLING ? 0 : 1);

const pumpCurrent: Shape = (time, key) =>
  cycle(time, key) < FILLING ? 0 : clamp(0.9 + 0.06 * noise(key, time / (3 * MINUTE)));

/** Water used by people: low at night, a morning and an evening peak, later on weekends. */
const demand: Shape = (time, key) => {
  const weekday = new Date(time).getUTCDay();
  const late = weekday === 0 || weekday === 6 ? 1.4 : 0;
  const hour = hourOfDay(time);
  const people = 0.75 * hump(hour, 7.4 + late, 1.5) + 0.55 * hump(hour, 18.6, 2.2) + 0.3 * hump(hour, 12.8, 3);
  return clamp(
    0.1 + 0.75 * people + 0.05 * noise(key, time / (9 * MINUTE)) + 0.04 * noise(key + 1, time / (20 * HOUR)),
  );
};

/** A reservoir fills at night and is drawn by day, on top of slow weather. */
const reservoir: Shape = (time, key) =>
  clamp(
    0.55 +
      0.24 * Math.cos((2 * Math.PI * (hourOfDay(time) - 5.5)) / 24) +
      0.16 * noise(key, time / (3 * DAY)) +
      0.01 * noise(key + 1, time / (12 * MINUTE)),
  );

/** A cold room swings with its compressor and warms for a while when it defrosts. */
const coldRoom: Shape = (time, key) => {
  const period = (32 + 14 * trait(key, 1)) * MINUTE;
  const swing = Math.sin((2 * Math.PI * time) / period + 6 * trait(key, 2));
  const defrost = hump(((time / HOUR + 8 * trait(key, 3)) % 8) * 3, 12, 1.1);
  return clamp(0.28 + 0.12 * swing + 0.42 * defrost + 0.08 * noise(key, time / (40 * MINUTE)));
};

const compressor: Shape = (time, key) => {
  const period = (32 + 14 * trait(key, 1)) * MINUTE;
  return Math.sin((2 * Math.PI * time) / period + 6 * trait(key, 2)) < 0.25 ? 1 : 0;
};

const compressorCurrent: Shape = (time, key) =>
  compressor(time, key) === 0 ? 0 : clamp(0.85 + 0.08 * noise(key, time / (3 * MINUTE)));

/** Held by a controller: hardly moves, gives way a little to demand. */
const held: Shape = (time, key) =>
  clamp(
    0.62 - 0.2 * demand(time, key) + 0.12 * noise(key, time / (6 * MINUTE)) + 0.1 * noise(key + 1, time / (2 * DAY)),
  );

/** Wanders slowly, as chemistry and ground water do. */
const wander: Shape = (time, key) =>
  clamp(
    0.5 +
      0.3 * noise(key, time / (1.5 * DAY)) +
      0.12 * noise(key + 1, time / (3 * HOUR)) +
      0.03 * noise(key + 2, time / (8 * MINUTE)),
  );

/** A battery that the sun charges by day. */
const battery: Shape = (time, key) =>
  clamp(
    0.45 +
      0.3 * hump(hourOfDay(time), 13, 3.5) +
      0.15 * noise(key, time / (2 * DAY)) +
      0.03 * noise(key + 1, time / (15 * MINUTE)),
  );

const sun: Shape = (time, key) =>
  clamp(hump(hourOfDay(time), 12.6, 2) * (0.65 + 0.3 * noise(key, time / (2 * HOUR))) - 0.02);

/** Near the bottom nearly always, as a spill chamber in dry weather. */
const quiet: Shape = (time, key) =>
  clamp(0.06 + 0.5 * Math.max(0, noise(key, time / (30 * HOUR)) - 0.55) + 0.02 * noise(key + 1, time / HOUR));

/** A few minutes at a time, only by day: doors and hatches. */
const opened: Shape = (time, key) => {
  const hour = hourOfDay(time);
  return hour > 6 && hour < 19 && noise(key, time / (11 * MINUTE)) > 0.78 ? 1 : 0;
};

const steady: Shape = () => 1;
const never: Shape = () => 0;

/** A count that begins anew each day and grows while there is traffic. */
const daily: Shape = (time) => clamp((hourOfDay(time) - 5.5) / 15) ** 1.2;

/** A meter's total since the beginning of 2024: it only grows, faster by day. */
const total: Shape = (time, key) => {
  const days = (time - 1_704_067_200_000) / DAY;
  return (days - (0.12 / (2 * Math.PI)) * Math.sin(2 * Math.PI * (days - 0.1))) / 1000 + 0.05 * trait(key, 1);
};

export const shapes = {
  sawtooth,
  pumping,
  pumpCurrent,
  demand,
  reservoir,
  coldRoom,
  compressor,
  compressorCurrent,
  held,
  wander,
  battery,
  sun,
  quiet,
  opened,
  steady,
  never,
  daily,
  total,
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof shapes;
