import { dateFormat, writeNumber } from '../../ui/formats.ts';

const DAY = 86_400;

/** Labels of a time axis: days for daily steps and at midnight; seconds only if ticks would otherwise look the same. */
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

/** Labels of a value axis, with as many decimals as the step needs and a true minus sign. */
export function numberTicks(values: readonly number[], locale?: string): string[] {
  const exact = (digits: number) => values.every((value) => Math.abs(Number(value.toFixed(digits)) - value) < 1e-9);
  const digits = [0, 1, 2, 3, 4, 5, 6].find(exact) ?? 2;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return values.map((value) => writeNumber(value, locale, options));
}

/** Above this uPlot finds no tick steps. */
const HUGE = 1e17;

/** Ticks for an axis above HUGE: a round value near each end, and zero. Empty below HUGE. */
export function hugeTicks(least: number, most: number): number[] {
  const size = Math.max(-least, most);
  if (size < HUGE || !Number.isFinite(size)) return [];
  const step = 10 ** Math.floor(Math.log10(size));
  const ends = [Math.ceil(least / step) * step + 0, 0, Math.floor(most / step) * step + 0];
  return [...new Set(ends)].filter((value) => value >= least && value <= most);
}
