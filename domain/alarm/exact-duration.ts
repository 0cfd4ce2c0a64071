const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration in words, in its two largest units: "4 minutes 20 seconds". */
export function exactDuration(milliseconds: number): string {
  let rest = Math.max(0, Math.floor(milliseconds / 1000));
  const words: string[] = [];
  for (const [unit, seconds] of units) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
    // Only the next smaller unit may follow the first unit. "1 day 0 hours 5 minutes" is therefore shortened to "1
    // day".
    else if (words.length > 0) break;
    if (words.length === 2) break;
  }
  return words.join(' ') || 'less than a second';
}
