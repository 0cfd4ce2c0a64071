import { LIMIT_DECIMALS, writeNumber } from '../../ui/formats.ts';

/**
 * Formats a measured number by locale, with a true minus sign. Beside limits it keeps enough decimals that a value out
 * of limits never looks inside.
 */
export function formatNumber(value: number, locale?: string, limits: readonly (number | null)[] = []): string {
  let digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  while (digits < LIMIT_DECIMALS && limits.some((limit) => limit !== null && isMoved(value, limit, digits)))
    digits += 1;
  return writeNumber(value, locale, { maximumFractionDigits: digits });
}

function isMoved(value: number, limit: number, digits: number): boolean {
  return Math.sign(Number(value.toFixed(digits)) - limit) !== Math.sign(value - limit);
}

export interface Measured {
  latestValue: number | null;
  uom: string;
  /** 1 digital, 2 analog, 3 counter. */
  sensorType: number;
  /** The state's text; for a digital channel its state name, such as Off. */
  datapointTitleText: string;
}

/**
 * The latest value as shown: the state name of a digital channel, else a number with its unit. Null before the first
 * reading.
 */
export function readValue(
  point: Measured,
  locale?: string,
  limits?: readonly (number | null)[],
): { text: string; unit: string } | null {
  if (point.sensorType === 1 && point.datapointTitleText !== '') {
    return { text: point.datapointTitleText, unit: '' };
  }
  return point.latestValue === null ? null : { text: formatNumber(point.latestValue, locale, limits), unit: point.uom };
}

/** How many of four bars a signal in dBm fills. */
export function signalBars(dbm: number | null): number {
  if (dbm === null) {
    return 0;
  }
  return [-105, -90, -80, -70].filter((least) => dbm >= least).length;
}
