/** Token bucket of one device. It refills over time, and each frame uses one token. */
export interface TokenBucket {
  /** Can be negative, because several processes can spend the same token at the same time. */
  tokens: number;
  /** Time of the last refill, in milliseconds. */
  at: number;
}

export interface FloodLimit {
  perSecond: number;
  burst: number;
}

export function fullBucket(limit: FloodLimit, now: number): TokenBucket {
  return { tokens: limit.burst, at: now };
}

/**
 * Refills the bucket and uses one token. Returns 0 if a token was available, otherwise the milliseconds until the next
 * token.
 */
export function takeToken(allowance: TokenBucket, limit: FloodLimit, now: number): number {
  refill(allowance, limit, now);
  if (allowance.tokens >= 1) {
    allowance.tokens -= 1;
    return 0;
  }
  // Subtracts an epsilon, because floating-point error could otherwise round the wait up by a millisecond.
  return Math.max(1, Math.ceil(((1 - allowance.tokens) / limit.perSecond) * 1000 - 1e-6));
}

function refill(bucket: TokenBucket, limit: FloodLimit, now: number): void {
  // A clock that is set back neither adds nor removes tokens.
  const passed = Math.max(0, now - bucket.at);
  bucket.tokens = Math.min(limit.burst, bucket.tokens + (passed / 1000) * limit.perSecond);
  bucket.at = now;
}

/**
 * Length of the window of past frames that `lowerTo` needs, as a multiple of the time in which an empty bucket fills
 * up.
 */
const FILLS = 10;

/** Returns the window of past frames that `lowerTo` needs: its length and the maximum number of frames in it. */
export function replayWindow({ perSecond, burst }: FloodLimit): { milliseconds: number; frames: number } {
  return { milliseconds: (FILLS * burst * 1000) / perSecond, frames: (FILLS + 1) * burst };
}

/**
 * Lowers the token count to what remains after the frames that all processes accepted. `times` are the times of these
 * frames, oldest first. The bucket counts as full before the first frame.
 */
export function lowerTo(bucket: TokenBucket, limit: FloodLimit, times: readonly number[], now: number): void {
  const replayed = fullBucket(limit, times[0] ?? now);
  for (const time of times) {
    refill(replayed, limit, time);
    replayed.tokens -= 1;
  }
  refill(replayed, limit, now);
  refill(bucket, limit, now);
  bucket.tokens = Math.min(bucket.tokens, replayed.tokens);
}
