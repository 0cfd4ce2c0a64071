/** One decimal, rounded, but never up to 100: only what is whole reads so. */
export function roundPercent(percent: number): number {
  return percent >= 100 ? 100 : Math.min(99.9, Math.round(percent * 10) / 10);
}

/** The same in words: `92.4 %`, `100 %`. */
export function percentWords(percent: number): string {
  const rounded = roundPercent(percent);
  return rounded === 100 ? '100 %' : `${rounded.toFixed(1)} %`;
}
