import { dateFormat, writeNumber } from '../../ui/formats.ts';

const DAY = 86_400;

/**
 * Returns the labels of a time axis. Ticks at midnight and daily ticks show the day, others the time. Seconds are shown
 * only for steps below a minute.
 */
export function timeTicks(seconds: readonly number[], step: number, timeZone: string, locale?: string): string[] {
  const day = dateFormat(locale, { timeZone, day: 'numeric', month: 'short' });
  const clock = dateFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(step < 60 ? { second: '2-digit' as const } : {}),
    hourCycle: 'h23',
  });
  return seconds.map((at) => {
    const moment = new Date(at * 1000);
    const time = clock.format(moment);
    return step >= DAY || /^00:00(:00)?$/.test(time) ? day.format(moment) : time;
  });
}

/** Returns the labels of a value axis, with the decimals that the step needs and a typographic minus sign. */
export function numberTicks(values: readonly number[], locale?: string): string[] {
  const exact = (digits: number) => values.every((value) => Math.abs(Number(value.toFixed(digits)) - value) < 1e-9);
  const digits = [0, 1, 2, 3, 4, 5, 6].find(exact) ?? 2;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return values.map((value) => writeNumber(value, locale, options));
}

/** If the range of an axis is larger than this, uPlot finds no tick steps. */
const HUGE = 1e17;

/** Returns ticks for an axis with a range above HUGE: zero and a round value near each end. Empty for other axes. */
export function hugeTicks(least: number, most: number): number[] {
  const size = Math.max(-least, most);
  if (size < HUGE || !Number.isFinite(size)) return [];
  const step = 10 ** Math.floor(Math.log10(size));
  const ends = [Math.ceil(least / step) * step + 0, 0, Math.floor(most / step) * step + 0];
  return [...new Set(ends)].filter((value) => value >= least && value <= most);
}
