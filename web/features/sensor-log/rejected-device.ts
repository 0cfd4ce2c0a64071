/** Log entry for a frame, or for a rejected device without a frame. */
interface Line {
  encoding: string;
  problem: string | null;
}

/** Returns true if the device was rejected. The log entry then contains no frame. */
export function isRejected({ encoding }: Pick<Line, 'encoding'>): boolean {
  return encoding === 'none';
}

/** Returns the problem of a frame, or the reason why the device was rejected; null if there is none. */
export function problemText(line: Line): string | null {
  return line.problem !== null && isRejected(line) ? `Rejected: ${line.problem}` : line.problem;
}
