import { useEffect, useEffectEvent } from 'react';

/**
 * Handles the shortcuts of a page, wherever the focus is. A key is ignored while the user types and while a dialog or
 * menu is open. It is also ignored if another element has handled it.
 */
export function usePageKeys(press: (event: KeyboardEvent) => void): void {
  const pressed = useEffectEvent(press);
  // The listeners are registered only once. If they were registered on each render, `isCovered` would be lost during a
  // key press.
  useEffect(() => {
    let isCovered = false;
    // This listener runs before all others, so that a key that closes a dialog does not also act on the page.
    const look = () => {
      isCovered = document.querySelector('[role="dialog"], [role="menu"]') !== null;
    };
    const answer = (event: KeyboardEvent) => {
      const isOurs = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      if (isOurs && !isCovered && !isWriting(event.target)) {
        pressed(event);
      }
    };
    window.addEventListener('keydown', look, true);
    window.addEventListener('keydown', answer);
    return () => {
      window.removeEventListener('keydown', look, true);
      window.removeEventListener('keydown', answer);
    };
  }, []);
}

/** Fields that accept typed letters, including a select, where letters choose an entry. */
const WRITTEN_IN =
  'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"])';

/** Returns whether the key goes to a field that accepts typed letters. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(WRITTEN_IN) !== null;
}

/** Returns whether the focused element itself uses Enter, space and the arrow keys. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a[href], button, input, select, textarea, summary') !== null;
}

/** Returns whether the key goes to a field with an open list. Escape then closes only the list. */
export function hasListOpen(target: EventTarget | null): boolean {
  const list = target instanceof Element ? document.getElementById(target.getAttribute('aria-controls') ?? '') : null;
  return list?.querySelector('[role="option"]') != null;
}
