import { createStore } from '../ui/store.ts';
import { now } from '../ui/time/clock.ts';

/** Since when the server has not answered, or null while it does. */
export const lostSince = createStore<Date | null>(null);

export function serverAnswered(): void {
  lostSince.set(null);
}

export function serverDidNotAnswer(): void {
  lostSince.set(lostSince.get() ?? now());
}
