import { createStore } from '../ui/store.ts';
import { now } from '../ui/time/clock.ts';

/** Time at which the server stopped responding; null while it responds. */
export const lostSince = createStore<Date | null>(null);

/**
 * Returns true if the connection is known to be lost, so that no request can reach the server. If it returns false, a
 * request may have reached the server even if no response arrived.
 */
export function isKnownLost(): boolean {
  return lostSince.get() !== null || !navigator.onLine;
}

export function serverAnswered(): void {
  lostSince.set(null);
}

export function serverDidNotAnswer(): void {
  lostSince.set(lostSince.get() ?? now());
}
