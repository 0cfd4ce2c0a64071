import { useCallback } from 'react';
import { flushSync } from 'react-dom';

/**
 * Tracks the scroll container of a table. Sets `data-scrolls-on` while columns are hidden beyond its right edge, and
 * calls `onWidth` with its width. `onWidth` must stay the same function.
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
      // The observer runs after layout and before paint, when reading the size is cheap. Reading the size earlier would
      // force a layout.
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
