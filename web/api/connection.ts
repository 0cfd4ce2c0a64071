import { createStore } from '../ui/store.ts';
import { now } from '../ui/time/clock.ts';

/** Time since which the server has not answered; null while it does. */
export const lostSince = createStore<Date | null>(null);

/**
 * Whether requests are known not to reach the server. Otherwise the server may have handled a request without an
 * answer.
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
