import { useSyncExternalStore } from 'react';

/** The only place of the console that reads the time of day. Everything else is handed it. */
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
 * Something computed from the present time. One timer serves the whole page, and a component is drawn again only when
 * what it computed has changed: an age in days does not redraw each second. The result must be a plain value.
 */
export function useFromNow<T extends string | number | boolean>(compute: (now: Date) => T): T {
  return useSyncExternalStore(subscribe, () => compute(current));
}
