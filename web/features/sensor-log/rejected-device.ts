/** A log line without a frame: a rejected device and the reason. */
interface Line {
  encoding: string;
  problem: string | null;
}

/** Whether the device was rejected, so that there is no frame. */
export function isRejected({ encoding }: Pick<Line, 'encoding'>): boolean {
  return encoding === 'none';
}

/** Why a frame gave no reading, or why there is no frame. */
export function problemText(line: Line): string | null {
  return line.problem !== null && isRejected(line) ? `Rejected: ${line.problem}` : line.problem;
}
