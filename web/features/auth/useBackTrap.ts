import { useEffect } from 'react';

/** Keeps the browser's back button on this page: whenever the history steps back, the page is pushed again. */
export function useBackTrap(): void {
  useEffect(() => {
    const push = () => window.history.pushState(window.history.state, '', window.location.href);
    push();
    window.addEventListener('popstate', push);
    return () => window.removeEventListener('popstate', push);
  }, []);
}
