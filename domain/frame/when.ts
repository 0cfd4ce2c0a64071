/** If a device's clock is further ahead than this, server time replaces the device time. */
export const MAX_CLOCK_AHEAD_MS = 5 * 60_000;

/** A device time before this date means that the device's clock was never set. */
export const CLOCK_UNSET_BEFORE = Date.UTC(2020, 0, 1);

/** Notes in the sensor log when server time replaces device time. */
export const clockNotes = {
  ahead: "The device's clock is ahead, so the server's time is used.",
  'clock-unset': "The device's clock is not set, so the server's time is used.",
} as const;

export type CheckedTime = { time: number; mark?: keyof typeof clockNotes } | { refused: 'too-old' };

/**
 * Returns the time of a value: device time, or server time if the device time is missing or wrong. Refuses values older
 * than `oldest`, the start of retention.
 */
export function checkDeviceTime(deviceTime: number | undefined, now: number, oldest: number): CheckedTime {
  if (deviceTime === undefined) {
    return { time: now };
  }
  if (deviceTime > now + MAX_CLOCK_AHEAD_MS) {
    return { time: now, mark: 'ahead' };
  }
  if (deviceTime < CLOCK_UNSET_BEFORE) {
    return { time: now, mark: 'clock-unset' };
  }
  return deviceTime < oldest ? { refused: 'too-old' } : { time: deviceTime };
}

/**
 * Tolerance in milliseconds. A reading counts as current if its device time is at most this far ahead of the server. If
 * the next value of the channel has no device time, every process assigns it a time after that reading. The tolerance
 * must exceed the difference between the clocks of two processes, which is at most 2 s.
 */
export const NEAR_NOW_MS = 5000;

/**
 * Returns the server time for a value without a usable device time. Values of one channel that arrive together get
 * times one millisecond apart. With equal times, all values except the first would count as duplicates.
 */
export function assignServerTime(now: number, lastGiven: number): number {
  const next = lastGiven + 1;
  // If `next` is too far ahead of `now`, the server's clock was set back, so `next` is not used.
  return next > now && next <= now + MAX_CLOCK_AHEAD_MS ? next : now;
}
