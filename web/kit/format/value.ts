import { LIMIT_DECIMALS, writeNumber } from '../../ui/formats.ts';

/**
 * Formats a measured number for the locale, with a typographic minus sign. Keeps enough decimals that a value outside
 * `limits` never appears to be within them.
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
  /** Sensor type: 1 digital, 2 analog, 3 counter. */
  sensorType: number;
  /** Text of the current state. For a digital channel this is the state name, such as Off. */
  datapointTitleText: string;
}

/**
 * Returns the latest value for display: the state name of a digital channel, or a number with its unit. Returns null
 * before the first reading.
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

/** Returns how many of the four bars a signal in dBm fills. */
export function signalBars(dbm: number | null): number {
  if (dbm === null) {
    return 0;
  }
  return [-105, -90, -80, -70].filter((least) => dbm >= least).length;
}
