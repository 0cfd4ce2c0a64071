import { useSyncExternalStore } from 'react';

/** A value stored outside React. Components can subscribe to it, and code outside components can change it. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** Calls the listener with the new and the previous value after each change. Returns a function that unsubscribes. */
  subscribe(listener: (next: T, before: T) => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<(next: T, before: T) => void>();
  return {
    get: () => value,
    set(next) {
      const before = value;
      if (Object.is(before, next)) {
        return;
      }
      value = next;
      for (const listener of [...listeners]) {
        listener(next, before);
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
