/** What a field carries while its text is nothing that can be saved: no number, or typed and not chosen from its list. */
export const unusable = (is: boolean) => ({ 'data-unusable': is || undefined });

/** The first such field here. It says itself what is wrong. */
export function fieldNotUsable(within: ParentNode = document): HTMLElement | null {
  return within.querySelector<HTMLElement>('[data-unusable]');
}
