import { useEffect } from 'react';

/** Disables the back button on this page by pushing the page again. */
export function useBackTrap(): void {
  useEffect(() => {
    const push = () => window.history.pushState(window.history.state, '', window.location.href);
    push();
    window.addEventListener('popstate', push);
    return () => window.removeEventListener('popstate', push);
  }, []);
}
