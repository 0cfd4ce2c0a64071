import { createStore } from '../ui/store.ts';
import { now } from '../ui/time/clock.ts';

/** Time since which the server has not answered; null while it does. */
export const lostSince = createStore<Date | null>(null);

/**
 * True if requests certainly do not reach the server. Otherwise the server may have handled a request whose answer was
 * lost.
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
