import { createStore } from '../../ui/store.ts';

/** Count shown before the title in the browser tab; hidden if it is 0. */
export const titleCount = createStore(0);

export function titleOf(title: string, count: number): string {
  const name = title === '' ? 'Tocsin' : `${title} · Tocsin`;
  return count > 0 ? `(${count > 99 ? '99+' : count}) ${name}` : name;
}
