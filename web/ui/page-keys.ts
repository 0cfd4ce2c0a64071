import { useEffect, useEffectEvent } from 'react';

/**
 * Handles a page's shortcuts wherever the focus is, but not while typing, under a dialog or menu, or if a nearer
 * element handled the key.
 */
export function usePageKeys(press: (event: KeyboardEvent) => void): void {
  const pressed = useEffectEvent(press);
  // Registered once: registering on each render would lose `isCovered` during a key press.
  useEffect(() => {
    let isCovered = false;
    // Checked before any handler: the key that closes a dialog must not reach the page.
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

/** Fields that accept typed letters. A select counts too, because letters select its entries. */
const WRITTEN_IN =
  'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"])';

/** Whether the key goes to a field that accepts typed letters. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(WRITTEN_IN) !== null;
}

/** Whether the focused element itself uses Enter, space and arrows. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a[href], button, input, select, textarea, summary') !== null;
}

/** Whether the key went to a field with an open list: Escape then closes only the list. */
export function hasListOpen(target: EventTarget | null): boolean {
  const list = target instanceof Element ? document.getElementById(target.getAttribute('aria-controls') ?? '') : null;
  return list?.querySelector('[role="option"]') != null;
}
