import { useCallback } from 'react';
import { flushSync } from 'react-dom';

/**
 * Tracks the scroll container of a table. `data-scrolls-on` says whether columns are beyond its right edge, and
 * `onWidth` gets its width. `onWidth` must be a constant.
 */
export function useFrame(onWidth?: (width: number) => void): (frame: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (frame: HTMLElement | null) => {
      if (!frame) return;
      const look = () => {
        onWidth?.(frame.clientWidth);
        const beyond = frame.scrollWidth - frame.clientWidth - frame.scrollLeft;
        frame.toggleAttribute('data-scrolls-on', beyond > 1);
      };
      // Called first after the layout of the table and before its paint: reading the size earlier would force a layout.
      const sizes = new ResizeObserver(() => flushSync(look));
      sizes.observe(frame);
      for (const child of frame.children) sizes.observe(child);
      frame.addEventListener('scroll', look, { passive: true });
      return () => {
        sizes.disconnect();
        frame.removeEventListener('scroll', look);
      };
    },
    [onWidth],
  );
}
