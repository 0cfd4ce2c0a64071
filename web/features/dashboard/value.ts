import { writeNumber } from '../../ui/formats.ts';

/** How a measured number reads: grouped by locale, with a real minus sign. */
export function formatNumber(value: number, locale?: string): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return writeNumber(value, locale, { maximumFractionDigits: digits });
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
export function readValue(point: Measured, locale?: string): { text: string; unit: string } | null {
  if (point.sensorType === 1 && point.datapointTitleText !== '') {
    return { text: point.datapointTitleText, unit: '' };
  }
  return point.latestValue === null ? null : { text: formatNumber(point.latestValue, locale), unit: point.uom };
}

/** How many of four bars a signal in dBm fills. */
export function signalBars(dbm: number | null): number {
  if (dbm === null) {
    return 0;
  }
  return [-105, -90, -80, -70].filter((least) => dbm >= least).length;
}
