import { formatNumber } from './number.ts';

const MOST_SAID = 5;

/** Summarises the current values of several records, most frequent first: `Current values: 24 hours (12×), 2 hours (3×).` */
export function currentValues(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const all = [...counts].sort(([, many], [, more]) => more - many);
  const [first] = all;
  if (first && all.length === 1) return `Current value${words.length > 1 ? ' (same for all)' : ''}: ${first[0]}.`;
  const shown = all.slice(0, MOST_SAID).map(([word, count]) => `${word} (${formatNumber(count)}×)`);
  const left = all.slice(MOST_SAID).reduce((sum, [, count]) => sum + count, 0);
  return `Current values: ${[...shown, ...(left > 0 ? [`others (${formatNumber(left)}×)`] : [])].join(', ')}.`;
}
