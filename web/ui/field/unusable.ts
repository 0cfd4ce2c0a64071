/** Marks a field whose text cannot be saved: not a number, or not chosen from its list. */
export const unusable = (is: boolean) => ({ 'data-unusable': is || undefined });

/** The first marked field; it shows its own error. */
export function fieldNotUsable(within: ParentNode = document): HTMLElement | null {
  return within.querySelector<HTMLElement>('[data-unusable]');
}
