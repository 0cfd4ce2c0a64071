/** A line of the log that is no frame: a device that was turned away, and why. */
interface Line {
  encoding: string;
  problem: string | null;
}

/** Whether nothing was kept, because the device was turned away. */
export function isRejected({ encoding }: Pick<Line, 'encoding'>): boolean {
  return encoding === 'none';
}

/** Why a frame gave no reading, or why there is none. */
export function problemText(line: Line): string | null {
  return line.problem !== null && isRejected(line) ? `Turned away: ${line.problem}` : line.problem;
}
