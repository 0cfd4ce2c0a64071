import { noise } from '../random.ts';

/**
 * Curves of normal measurements. A shape returns a number from 0 to 1, which is scaled to the usual range. `key` makes
 * the curve differ between sites. Times are milliseconds since 1970.
 */
export type Shape = (time: number, key: number) => number;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a number from 0 to 1 that depends only on the arguments. */
function trait(key: number, which: number): number {
  return (noise(key, which * 7919) + 1) / 2;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function hourOfDay(time: number): number {
  return (time % DAY) / HOUR;
}

/** Returns the height, at the given hour, of a bell curve around the hour `centre`. The width is in hours. */
function hump(hour: number, centre: number, width: number): number {
  const away = Math.min(Math.abs(hour - centre), 24 - Math.abs(hour - centre));
  return Math.exp(-(away * away) / (2 * width * width));
}

/** Returns the phase of a wet well in its cycle of filling and pumping. The well fills faster by day. */
function cycle(time: number, key: number): number {
  const period = (55 + 50 * trait(key, 1)) * MINUTE;
  const turns =
    time / period + 0.35 * Math.sin((2 * Math.PI * time) / DAY) + trait(key, 2) + 0.15 * noise(key, time / (5 * HOUR));
  return turns - Math.floor(turns);
}

const FILLING = 0.74;

/** Level of a wet well: rises slowly and is pumped down quickly. */
const sawtooth: Shape = (time, key) => {
  const at = cycle(time, key);
  const level = at < FILLING ? at / FILLING : (1 - at) / (1 - FILLING);
  return clamp(0.04 + 0.92 * level + 0.02 * noise(key, time / (4 * MINUTE)));
};

/** State of the wet well's pump: 1 while the pump runs, otherwise 0. */
const pumping: Shape = (time, key) => (cycle(time, key) < FILLING ? 0 : 1);

const pumpCurrent: Shape = (time, key) =>
  cycle(time, key) < FILLING ? 0 : clamp(0.9 + 0.06 * noise(key, time / (3 * MINUTE)));

/** Water consumption: low at night, with a morning and an evening peak. The peaks are later on weekends. */
const demand: Shape = (time, key) => {
  const weekday = new Date(time).getUTCDay();
  const late = weekday === 0 || weekday === 6 ? 1.4 : 0;
  const hour = hourOfDay(time);
  const people = 0.75 * hump(hour, 7.4 + late, 1.5) + 0.55 * hump(hour, 18.6, 2.2) + 0.3 * hump(hour, 12.8, 3);
  return clamp(
    0.1 + 0.75 * people + 0.05 * noise(key, time / (9 * MINUTE)) + 0.04 * noise(key + 1, time / (20 * HOUR)),
  );
};

/** Reservoir level: rises at night, falls by day, and drifts slowly with the weather. */
const reservoir: Shape = (time, key) =>
  clamp(
    0.55 +
      0.24 * Math.cos((2 * Math.PI * (hourOfDay(time) - 5.5)) / 24) +
      0.16 * noise(key, time / (3 * DAY)) +
      0.01 * noise(key + 1, time / (12 * MINUTE)),
  );

/** Temperature of a cold room: oscillates with the compressor and rises during defrosting. */
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

/** Controlled value: nearly constant, with a small effect of demand. */
const held: Shape = (time, key) =>
  clamp(
    0.62 - 0.2 * demand(time, key) + 0.12 * noise(key, time / (6 * MINUTE)) + 0.1 * noise(key + 1, time / (2 * DAY)),
  );

/** Slow drift, as in water chemistry and ground water levels. */
const wander: Shape = (time, key) =>
  clamp(
    0.5 +
      0.3 * noise(key, time / (1.5 * DAY)) +
      0.12 * noise(key + 1, time / (3 * HOUR)) +
      0.03 * noise(key + 2, time / (8 * MINUTE)),
  );

/** Voltage of a solar-charged battery. */
const battery: Shape = (time, key) =>
  clamp(
    0.45 +
      0.3 * hump(hourOfDay(time), 13, 3.5) +
      0.15 * noise(key, time / (2 * DAY)) +
      0.03 * noise(key + 1, time / (15 * MINUTE)),
  );

const sun: Shape = (time, key) =>
  clamp(hump(hourOfDay(time), 12.6, 2) * (0.65 + 0.3 * noise(key, time / (2 * HOUR))) - 0.02);

/** Value that stays near its minimum nearly all the time, such as the level of a spill chamber in dry weather. */
const quiet: Shape = (time, key) =>
  clamp(0.06 + 0.5 * Math.max(0, noise(key, time / (30 * HOUR)) - 0.55) + 0.02 * noise(key + 1, time / HOUR));

/** Doors and hatches: open for a few minutes at a time, only by day. */
const opened: Shape = (time, key) => {
  const hour = hourOfDay(time);
  return hour > 6 && hour < 19 && noise(key, time / (11 * MINUTE)) > 0.78 ? 1 : 0;
};

const steady: Shape = () => 1;
const never: Shape = () => 0;

/** Counter that resets every day and grows with the day's traffic. */
const daily: Shape = (time) => clamp((hourOfDay(time) - 5.5) / 15) ** 1.2;

/** Meter total since 2024. The total grows faster by day than at night. */
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
