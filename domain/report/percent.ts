/** One decimal, rounded, but never up to 100 nor down to 0: only what is whole reads so, and only what is nothing. */
export function roundPercent(percent: number): number {
  if (percent >= 100) return 100;
  return percent <= 0 ? 0 : Math.max(0.1, Math.min(99.9, Math.round(percent * 10) / 10));
}

/** The same in words: `92.4 %`, `100 %`. */
export function percentWords(percent: number): string {
  const rounded = roundPercent(percent);
  return rounded === 100 ? '100 %' : `${rounded.toFixed(1)} %`;
}
