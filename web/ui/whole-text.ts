/** How far above the pointer's element the one may be that cuts its text. */
const LEVELS = 4;

/** What has no room ends in an ellipsis. While the pointer is over it, its title is the whole text. */
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
