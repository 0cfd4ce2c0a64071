/** Number of ancestors to search for the element that truncates the text. */
const LEVELS = 4;

/**
 * Shows the full text of a truncated element as its title while the mouse is over the element. Returns a function that
 * removes the listener.
 */
export function showWholeText(): () => void {
  const named = new WeakSet<Element>();
  const enter = ({ target }: MouseEvent) => {
    let element = target instanceof HTMLElement ? target : null;
    for (let level = 0; element && level < LEVELS; level += 1) {
      const isCut = element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis';
      if (isCut && (named.has(element) || !element.closest('[title]'))) {
        element.title = element.textContent.replace(/\s+/g, ' ').trim();
        named.add(element);
        return;
      }
      if (!isCut && named.delete(element)) element.removeAttribute('title');
      element = element.parentElement;
    }
  };
  document.addEventListener('mouseover', enter);
  return () => document.removeEventListener('mouseover', enter);
}
