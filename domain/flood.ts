/** How much a device may still send: it fills up with time and every frame takes from it. */
export interface TokenBucket {
  tokens: number;
  /** When `left` was reckoned, in milliseconds. */
  at: number;
}

export interface FloodLimit {
  perSecond: number;
  burst: number;
}

export function fullBucket(limit: FloodLimit, now: number): TokenBucket {
  return { tokens: limit.burst, at: now };
}

/** Takes one from the allowance, which changes, and answers 0; or how many milliseconds to wait for the next one. */
export function takeToken(allowance: TokenBucket, limit: FloodLimit, now: number): number {
  // A clock that went back gives nothing and takes nothing.
  const passed = Math.max(0, now - allowance.at);
  allowance.tokens = Math.min(limit.burst, allowance.tokens + (passed / 1000) * limit.perSecond);
  allowance.at = now;
  if (allowance.tokens >= 1) {
    allowance.tokens -= 1;
    return 0;
  }
  // Less a hair, because tenths do not add up exactly.
  return Math.max(1, Math.ceil(((1 - allowance.tokens) / limit.perSecond) * 1000 - 1e-6));
}
