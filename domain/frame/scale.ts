import { frameLimits } from './frame.ts';

export interface Scaling {
  factor: number;
  offset: number;
  /** Places after the point; null or absent keeps all. */
  decimals?: number | null;
}

const powers = Array.from({ length: 23 }, (_, decimals) => Number(`1e${decimals}`));

/** raw × factor + offset, rounded to the decimals. Undefined where no reading can be so large. */
export function scale(raw: number, { factor, offset, decimals }: Scaling): number | undefined {
  const value = raw * factor + offset;
  if (!(Math.abs(value) <= frameLimits.value)) {
    return undefined;
  }
  return (decimals === undefined || decimals === null ? value : round(value, decimals)) + 0;
}

/** The nearest number with so many places, halves away from zero as people round them. */
function round(value: number, decimals: number): number {
  const power = powers[decimals] ?? 1;
  // 1.005 lies a hair below what it means; the relative nudge of one bit makes halves out of such values.
  const shifted = Math.abs(value) * power * (1 + Number.EPSILON);
  if (shifted >= Number.MAX_SAFE_INTEGER) {
    return value;
  }
  const rounded = Math.round(shifted) / power;
  return value < 0 ? -rounded : rounded;
}
