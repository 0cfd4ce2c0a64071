import { useLayoutEffect, useMemo, useState } from 'react';

/**
 * Returns true if a dialog or drawer must be rendered. It is not rendered before it is first opened, because a closed
 * Mantine overlay would render twice with every page. Also restores the focus on closing, which Mantine does only for
 * overlays that were mounted while closed.
 */
export function useOverlay(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  // Stores the focused element before the overlay renders, because the overlay may take the focus immediately.
  const before = useMemo(() => (opened ? document.activeElement : null), [opened]);
  useLayoutEffect(() => {
    if (!opened) return;
    return () => {
      const atClose = document.activeElement;
      queueMicrotask(() => {
        const focused = document.activeElement;
        // The overlay has lost the focus even if the focus is still in a dialog that is fading out.
        const isLeft = focused === document.body || (focused === atClose && focused?.closest('[role="dialog"]'));
        if (isLeft && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    };
  }, [opened, before]);
  return opened || wasOpened;
}
