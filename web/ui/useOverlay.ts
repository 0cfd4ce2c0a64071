import { useLayoutEffect, useMemo, useState } from 'react';

/**
 * Returns whether to render a dialog or drawer: true from its first opening on. A Mantine overlay that is mounted closed
 * renders twice with every page. Also restores the focus on closing, which Mantine does only for overlays that were
 * mounted closed.
 */
export function useOverlay(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  // Read before the overlay renders, which may take the focus at once.
  const before = useMemo(() => (opened ? document.activeElement : null), [opened]);
  useLayoutEffect(() => {
    if (!opened) return;
    return () => {
      const atClose = document.activeElement;
      queueMicrotask(() => {
        const focused = document.activeElement;
        // A dialog that fades out still has the focus.
        const isLeft = focused === document.body || (focused === atClose && focused?.closest('[role="dialog"]'));
        if (isLeft && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    };
  }, [opened, before]);
  return opened || wasOpened;
}
