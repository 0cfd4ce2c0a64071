import { type RefObject, useLayoutEffect, useRef } from 'react';
import { clearPlace, type Extent } from './clear-place.ts';

const CONTROLS =
  'a[href], button, input, select, textarea, summary, label:has(input), [role="button"], [role="tab"], [role="option"], [contenteditable="true"]';
/** Minimum time in milliseconds between two placements, because a loading page changes often. */
const SETTLE_MS = 80;
/** Events after which controls may have moved. */
const MOVING = ['resize', 'transitionend', 'animationend'] as const;

/**
 * Moves the toasts vertically so that they cover no control. If there is no free place, they cover only controls that
 * scroll, never fixed ones. The style sheets add space at the end of pages and panels, so that users can scroll covered
 * controls into a free area.
 */
export function useClearOfControls(region: RefObject<HTMLElement | null>, count: number): void {
  const pointed = useRef(false);
  useLayoutEffect(() => {
    const element = region.current;
    if (count === 0) pointed.current = false;
    if (!element || count === 0) return;
    const place = () => {
      // A toast does not move while the mouse is over it or while it has the focus.
      if (!pointed.current && !element.matches(':focus-within')) moveClear(element);
    };
    // A toast that appears under a mouse that does not move does not count as hovered.
    const point = ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) pointed.current = true;
    };
    const leave = () => {
      pointed.current = false;
    };
    element.addEventListener('pointermove', point);
    element.addEventListener('pointerleave', leave);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        place();
      }, SETTLE_MS);
    };
    place();
    const changes = new MutationObserver((records) => {
      if (records.some(({ target }) => !element.contains(target))) later();
    });
    changes.observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributeFilter: ['class', 'hidden', 'style'],
    });
    for (const event of MOVING) addEventListener(event, later);
    addEventListener('scroll', later, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      element.removeEventListener('pointermove', point);
      element.removeEventListener('pointerleave', leave);
      for (const event of MOVING) removeEventListener(event, later);
      removeEventListener('scroll', later, { capture: true });
    };
  }, [region, count]);
}

function moveClear(region: HTMLElement): void {
  region.style.translate = 'none';
  const box = region.getBoundingClientRect();
  if (box.height === 0) return;
  const controls = controlsBeside(region, box);
  const fixed = controls.filter(({ control }) => isFixed(control));
  const wanted = { height: box.height, room: { top: 0, bottom: innerHeight } };
  const atAnchor = { ...wanted, anchor: box.top, towards: box.top > innerHeight / 2 ? 'top' : 'bottom' } as const;
  // Over a panel, toasts move to the bottom. A field that they cover there can be scrolled into view.
  const atEnd = { ...wanted, anchor: innerHeight - box.height, towards: 'top' } as const;
  const top = clearPlace(atAnchor, controls) ?? clearPlace(isOverPanel(box) ? atEnd : atAnchor, fixed);
  if (top !== null) region.style.translate = `0 ${top - box.top}px`;
}

function isOverPanel({ right }: DOMRect): boolean {
  return [...document.querySelectorAll('[data-panel]')].some((panel) => panel.getBoundingClientRect().left < right);
}

/** Returns true if the control stays in place while the user scrolls. */
function isFixed(control: Element): boolean {
  for (let element: Element | null = control; element; element = element.parentElement) {
    const { position, overflowY } = getComputedStyle(element);
    if (position === 'fixed' || position === 'sticky') return true;
    const canScroll = overflowY === 'auto' || overflowY === 'scroll';
    if (canScroll && element.scrollHeight > element.clientHeight) return false;
  }
  return false;
}

/** Returns the visible controls that overlap the toasts horizontally. */
function controlsBeside(region: HTMLElement, box: DOMRect): (Extent & { control: Element })[] {
  return [...document.querySelectorAll(CONTROLS)].flatMap((control) => {
    if (region.contains(control)) return [];
    const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
    const isBeside = right > box.left && left < box.right && bottom > 0 && top < innerHeight;
    return isBeside && width > 0 && height > 0 && isInReach(control, region) ? [{ control, top, bottom }] : [];
  });
}

/**
 * Returns true if a control is clickable: nothing except the toasts covers it. A dialog's overlay, for example, can
 * cover it.
 */
function isInReach(control: Element, region: HTMLElement): boolean {
  const { left, right, top, bottom } = control.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const first = document.elementsFromPoint(x, y).find((element) => !region.contains(element));
  return first !== undefined && (control.contains(first) || first.contains(control));
}
