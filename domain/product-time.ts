/** The last product time on record, with the clocks of the machine at that moment. Milliseconds. */
export interface StoredTime {
  product: number;
  wall: number;
  /** Identifies a boot of the machine; undefined where the system does not say. */
  boot?: string | undefined;
  uptime: number;
  /** The server was stopped by its operator, and did not just disappear. */
  stopped: boolean;
}

export interface StartTime {
  product: number;
  /** How far deadlines in flight move, so that what remains of them stays the same. */
  shift: number;
  because: 'first-start' | 'in-step' | 'machine-behind' | 'machine-ahead' | 'machine-ahead-not-followed';
}

/** Differences up to this are not a step. */
const TOLERANCE = 2000;
/** A wall clock further ahead than this in one boot is not followed: readings older than their retention would be deleted. */
const MOST_FOLLOWED = 24 * 3_600_000;

/**
 * The product time a server starts with. It never goes backwards. Where the same boot tells how much time really passed, a
 * wall clock that is ahead of it is followed only after a regular stop: by restarting, the operator confirms the clock.
 */
export function timeAtStart(
  record: StoredTime | undefined,
  machine: { wall: number; boot?: string | undefined; uptime: number },
): StartTime {
  const { wall } = machine;
  if (!record) return { product: wall, shift: 0, because: 'first-start' };
  const isSameBoot = record.boot !== undefined && record.boot === machine.boot && machine.uptime >= record.uptime;
  if (!isSameBoot) {
    // Nobody knows how long the machine was off, so its clock is believed unless that would be a step back.
    if (wall < record.product - TOLERANCE) return { product: record.product, shift: 0, because: 'machine-behind' };
    const shift = Math.max(0, Math.min(record.wall - record.product, wall - record.product));
    if (shift <= TOLERANCE) return { product: Math.max(wall, record.product), shift: 0, because: 'in-step' };
    return { product: wall, shift, because: 'machine-ahead' };
  }
  const expected = record.product + machine.uptime - record.uptime;
  const ahead = wall - expected;
  if (ahead < -TOLERANCE) return { product: expected, shift: 0, because: 'machine-behind' };
  if (ahead <= TOLERANCE) return { product: Math.max(wall, record.product), shift: 0, because: 'in-step' };
  if (!record.stopped || ahead > MOST_FOLLOWED) {
    return { product: expected, shift: 0, because: 'machine-ahead-not-followed' };
  }
  return { product: wall, shift: ahead, because: 'machine-ahead' };
}
