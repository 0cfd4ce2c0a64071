import { useCallback, useState } from 'react';

/**
 * Tracks the scroll container of a table: its width, and in `data-scrolls-on` whether columns are beyond its right
 * edge.
 */
export function useFrame(): [ref: (frame: HTMLElement | null) => (() => void) | undefined, width: number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((frame: HTMLElement | null) => {
    if (!frame) return;
    const look = () => {
      setWidth(frame.clientWidth);
      const beyond = frame.scrollWidth - frame.clientWidth - frame.scrollLeft;
      frame.toggleAttribute('data-scrolls-on', beyond > 1);
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(frame);
    for (const child of frame.children) sizes.observe(child);
    frame.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      frame.removeEventListener('scroll', look);
    };
  }, []);
  return [ref, width];
}
