import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { FailedPage } from './FailedPage.tsx';

export const rootRoute = createRootRoute({ component: Outlet, errorComponent: FailedPage });

/** Parent of every page inside the shell. The pages for login, passwords and errors have no shell. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  // Loaded lazily, so that the login page stays small.
  component: lazyRouteComponent(() => import('./Frame.tsx'), 'Frame'),
  errorComponent: FailedPage,
});
