import { createStore } from '../ui/store.ts';
import { now } from '../ui/time/clock.ts';

/** Since when the server has not answered, or null while it does. */
export const lostSince = createStore<Date | null>(null);

/** Whether what is sent now is known not to leave. Without that a missing answer says nothing of what became of it. */
export function isKnownLost(): boolean {
  return lostSince.get() !== null || !navigator.onLine;
}

export function serverAnswered(): void {
  lostSince.set(null);
}

export function serverDidNotAnswer(): void {
  lostSince.set(lostSince.get() ?? now());
}
