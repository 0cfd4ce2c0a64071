import { frameLimits } from './frame.ts';

export interface Scaling {
  factor: number;
  offset: number;
  /** Number of decimals; null or undefined keeps all decimals. */
  decimals?: number | null;
}

const powers = Array.from({ length: 23 }, (_, decimals) => Number(`1e${decimals}`));

/** Returns raw × factor + offset, rounded to `decimals`; undefined if the result is out of range. */
export function scale(raw: number, { factor, offset, decimals }: Scaling): number | undefined {
  const value = raw * factor + offset;
  if (!(Math.abs(value) <= frameLimits.value)) {
    return undefined;
  }
  return (decimals === undefined || decimals === null ? value : round(value, decimals)) + 0;
}

/** Rounds half away from zero. */
function round(value: number, decimals: number): number {
  const power = powers[decimals] ?? 1;
  // Floating point stores 1.005 as slightly less than 1.005. The factor 1 + epsilon makes such values round up.
  const shifted = Math.abs(value) * power * (1 + Number.EPSILON);
  if (shifted >= Number.MAX_SAFE_INTEGER) {
    return value;
  }
  const rounded = Math.round(shifted) / power;
  return value < 0 ? -rounded : rounded;
}
