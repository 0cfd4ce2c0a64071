/** A device's clock may run this far ahead before the server's is taken instead. */
export const MAX_CLOCK_AHEAD_MS = 5 * 60_000;

/** No device that speaks to this server was set before; an earlier time is a clock that was never set. */
export const CLOCK_UNSET_BEFORE = Date.UTC(2020, 0, 1);

/** What is noted on a frame whose own time was not taken. */
export const clockNotes = {
  ahead: "The device's clock runs ahead, so the server's time was taken.",
  'clock-unset': "The device's clock is not set, so the server's time was taken.",
} as const;

export type CheckedTime = { time: number; mark?: keyof typeof clockNotes } | { refused: 'too-old' };

/** Which time a value counts from. `oldest` is the first moment of which anything is kept. */
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
 * The server's time for a value of which the device said none that counts. Several of one channel that come at one moment
 * are a millisecond apart, because at the same time all but the first would be taken for the same value sent again.
 */
export function assignServerTime(now: number, lastGiven: number): number {
  const next = lastGiven + 1;
  // So far ahead only where the server's own clock was set back.
  return next > now && next <= now + MAX_CLOCK_AHEAD_MS ? next : now;
}
