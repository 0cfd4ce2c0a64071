import { useCallback, useState } from 'react';

/**
 * Follows the frame in which a table scrolls: its width, and whether columns lie beyond its right edge, which `data-scrolls-on`
 * says to the style sheet.
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
