const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waiting times between attempts to send a notification. After the last entry, the waiting time is an hour. */
const waits = [10 * SECOND, 30 * SECOND, 1 * MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR] as const;

const longestWait = HOUR;
const oldest = 24 * HOUR;
/**
 *  Maximum number of attempts to send a notification. The waiting times allow fewer in a day, so this limit applies
 * only if the clock is set back repeatedly.
 */
const mostAttempts = 40;

export interface Attempt {
  outcome: 'sent' | 'delivered' | 'retry' | 'give-up';
  /** Number of attempts, including the current attempt. */
  attempts: number;
  queuedAt: number;
  now: number;
}

export type AfterAttempt =
  | { state: 'sent' | 'delivered' }
  | { state: 'queued'; nextAt: number }
  | { state: 'failed'; because: 'refused' | 'too-many-attempts' | 'too-old' };

/** Returns the state of a notification after an attempt to send it. */
export function afterAttempt({ outcome, attempts, queuedAt, now }: Attempt): AfterAttempt {
  if (outcome === 'sent' || outcome === 'delivered') return { state: outcome };
  if (outcome === 'give-up') return { state: 'failed', because: 'refused' };
  if (attempts >= mostAttempts) return { state: 'failed', because: 'too-many-attempts' };
  const nextAt = now + (waits[attempts - 1] ?? longestWait);
  if (nextAt > queuedAt + oldest) return { state: 'failed', because: 'too-old' };
  return { state: 'queued', nextAt };
}
