/**
 * Rounds to one decimal, but never up to 100 or down to 0. The results 100 and 0 therefore mean exactly all and exactly
 * none.
 */
export function roundPercent(percent: number): number {
  if (percent >= 100) return 100;
  return percent <= 0 ? 0 : Math.max(0.1, Math.min(99.9, Math.round(percent * 10) / 10));
}

/** Formats the rounded percentage: `92.4 %`, `100 %`. */
export function percentWords(percent: number): string {
  const rounded = roundPercent(percent);
  return rounded === 100 ? '100 %' : `${rounded.toFixed(1)} %`;
}
