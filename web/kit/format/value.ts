import { LIMIT_DECIMALS, writeNumber } from '../../ui/formats.ts';

/**
 * How a measured number reads: grouped by locale, with a real minus sign. Beside limits it has as many decimals as keep it on its
 * side of them: a value that is out never reads as one that is not.
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
  /** The words of the state: of a digital channel what it shows, such as Off. */
  datapointTitleText: string;
}

/** The latest value as it is shown: a digital one by its word, any other as a number beside its unit. Null where there is none yet. */
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
