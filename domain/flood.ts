/** Token bucket of one device. It refills over time, and every frame takes a token. */
export interface TokenBucket {
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
 * Refills the bucket and takes a token. Returns 0 if a token was available, else the milliseconds until the next token.
 */
export function takeToken(allowance: TokenBucket, limit: FloodLimit, now: number): number {
  // A clock that is set back neither adds nor removes tokens.
  const passed = Math.max(0, now - allowance.at);
  allowance.tokens = Math.min(limit.burst, allowance.tokens + (passed / 1000) * limit.perSecond);
  allowance.at = now;
  if (allowance.tokens >= 1) {
    allowance.tokens -= 1;
    return 0;
  }
  // The epsilon compensates for floating-point error, because tenths do not add up exactly.
  return Math.max(1, Math.ceil(((1 - allowance.tokens) / limit.perSecond) * 1000 - 1e-6));
}
