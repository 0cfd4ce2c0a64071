/** The last stored product time, with the machine's clocks at that time. All values are in milliseconds. */
export interface StoredTime {
  product: number;
  wall: number;
  /** Boot id of the machine; undefined if the system has none. */
  boot?: string | undefined;
  uptime: number;
  /** True after a regular stop, false after a crash. */
  stopped: boolean;
}

export interface StartTime {
  product: number;
  /** Milliseconds by which pending deadlines are moved, so that their remaining time stays the same. */
  shift: number;
  because: 'first-start' | 'in-step' | 'machine-behind' | 'machine-ahead' | 'machine-ahead-not-followed';
}

/** Largest difference, in milliseconds, that does not count as a clock step. */
const TOLERANCE = 2000;
/**
 * Maximum forward step of the clock that is accepted within one boot. After a larger step, retention could delete
 * readings.
 */
const MOST_FOLLOWED = 24 * 3_600_000;

/**
 * Determines product time at server start. Product time never goes backwards. Within one boot, the uptime gives the
 * elapsed time. If the machine's clock has advanced further than the uptime, the server accepts the clock only after a
 * regular stop. By restarting the server, the operator confirms the clock.
 */
export function timeAtStart(
  record: StoredTime | undefined,
  machine: { wall: number; boot?: string | undefined; uptime: number },
): StartTime {
  const { wall } = machine;
  if (!record) return { product: wall, shift: 0, because: 'first-start' };
  const isSameBoot = record.boot !== undefined && record.boot === machine.boot && machine.uptime >= record.uptime;
  if (!isSameBoot) {
    // After a reboot, the elapsed time is unknown. The server therefore accepts the machine's clock unless the clock is
    // behind product time.
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
