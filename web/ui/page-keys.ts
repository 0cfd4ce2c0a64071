import { useEffect, useEffectEvent } from 'react';

/**
 * Keys that a page answers wherever the focus stands: not while somebody writes, nor under a dialog or a menu, and only where
 * nothing nearer to the focus has answered.
 */
export function usePageKeys(press: (event: KeyboardEvent) => void): void {
  const pressed = useEffectEvent(press);
  // Listened to once: a page that is drawn anew while a key is on its way must not forget what it has looked at.
  useEffect(() => {
    let isCovered = false;
    // Looked at before anybody answers: the key that closes a dialog must not mean the page as well.
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

/** Fields that letters go into; a list to choose from goes to the entry that begins with them. */
const WRITTEN_IN =
  'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"])';

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(WRITTEN_IN) !== null;
}

/** Whether the focus is on something that Enter, space and arrows already mean something to. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a[href], button, input, select, textarea, summary') !== null;
}

/** Whether the key went to a field whose list lies open: Escape closes that alone, and not what the field stands in. */
export function hasListOpen(target: EventTarget | null): boolean {
  const list = target instanceof Element ? document.getElementById(target.getAttribute('aria-controls') ?? '') : null;
  return list?.querySelector('[role="option"]') != null;
}
