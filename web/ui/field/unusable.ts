/**
 * Returns props that mark a field whose text cannot be saved, because it is not a number or was not chosen from the
 * field's list.
 */
export const unusable = (is: boolean) => ({ 'data-unusable': is || undefined });

/** Returns the first marked field, which shows its own error; null if there is none. */
export function fieldNotUsable(within: ParentNode = document): HTMLElement | null {
  return within.querySelector<HTMLElement>('[data-unusable]');
}
