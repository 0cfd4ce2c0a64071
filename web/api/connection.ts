import { createStore } from '../ui/store.ts';
import { now } from '../ui/time/clock.ts';

/** Time when the server stopped answering; null while it answers. */
export const lostSince = createStore<Date | null>(null);

/**
 * Returns true if requests certainly do not reach the server. If false, the server may still have handled a request
 * whose answer was lost.
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
