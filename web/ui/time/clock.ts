import { useSyncExternalStore } from 'react';

/**
 * Returns the current time. Only this function reads the clock in the console; all other code gets the time as a
 * parameter.
 */
export function now(): Date {
  return new Date();
}

const TICK = 1000;
const listeners = new Set<() => void>();
let current = now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  current = now();
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    current = now();
    timer = setInterval(tick, TICK);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/**
 * Returns a value computed from the current time. One timer serves the whole page. A component renders only when its
 * value changes, so that a component with an age in days does not render every second. The value must be a primitive.
 */
export function useFromNow<T extends string | number | boolean>(compute: (now: Date) => T): T {
  return useSyncExternalStore(subscribe, () => compute(current));
}
