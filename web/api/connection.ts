import { createStore } from '../ui/store.ts';
import { now } from '../ui/time/clock.ts';

/** Time since which the server has not answered; null while it does. */
export const lostSince = createStore<Date | null>(null);

/** Whether a request is known not to leave. Otherwise a missing answer says nothing about its result. */
export function isKnownLost(): boolean {
  return lostSince.get() !== null || !navigator.onLine;
}

export function serverAnswered(): void {
  lostSince.set(null);
}

export function serverDidNotAnswer(): void {
  lostSince.set(lostSince.get() ?? now());
}
