import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { FailedPage } from './FailedPage.tsx';

export const rootRoute = createRootRoute({ component: Outlet, errorComponent: FailedPage });

/** The parent of every page that stands inside the shell. Login, password and error pages hang on the root and have none. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  // The login page stays light without it.
  component: lazyRouteComponent(() => import('./Frame.tsx'), 'Frame'),
  errorComponent: FailedPage,
});
