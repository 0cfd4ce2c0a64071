/** Returns the range of the value axis, which covers all values and both limits, with a margin. */
export function valueRange(
  least: number | null,
  most: number | null,
  lower: number | null,
  upper: number | null,
): [number, number] {
  const all = [least, most, lower, upper].filter((value): value is number => value !== null && Number.isFinite(value));
  if (all.length === 0) return [0, 1];
  const bottom = Math.min(...all);
  const top = Math.max(...all);
  const air = (top - bottom) * 0.08 || Math.abs(top) * 0.1 || 1;
  return [bottom - air, top + air];
}

/**
 * Rounds a dragged limit to a multiple of a power of ten. This power is between a thousandth and a hundredth of the
 * chart's range.
 */
export function roundedStep(value: number, span: number): number {
  const step = 10 ** (Math.floor(Math.log10(span)) - 2);
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step))));
  return Number((Math.round(value / step) * step).toFixed(digits));
}
