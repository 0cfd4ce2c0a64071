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
    // The second unit must directly follow the first in size: "1 day", not "1 day 5 minutes".
    else if (words.length > 0) break;
    if (words.length === 2) break;
  }
  return words.join(' ') || 'less than a second';
}
