const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time as people say it, in its two largest units: "4 minutes 20 seconds". */
export function exactDuration(milliseconds: number): string {
  let rest = Math.max(0, Math.floor(milliseconds / 1000));
  const words: string[] = [];
  for (const [unit, seconds] of units) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
    // What stands two units below the largest says nothing next to it.
    else if (words.length > 0) break;
    if (words.length === 2) break;
  }
  return words.join(' ') || 'less than a second';
}
