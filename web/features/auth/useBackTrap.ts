import { useEffect } from 'react';

/** Disables the browser's back button by adding the current page to the history again. */
export function useBackTrap(): void {
  useEffect(() => {
    const push = () => window.history.pushState(window.history.state, '', window.location.href);
    push();
    window.addEventListener('popstate', push);
    return () => window.removeEventListener('popstate', push);
  }, []);
}
