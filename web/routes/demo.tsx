import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { only } from './guards.ts';
import { rootRoute } from './root.tsx';

const testRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/test',
  beforeLoad: (asked) => {
    only('demo')(asked);
    throw redirect({ to: '/pass', replace: true });
  },
});

const passRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pass',
  beforeLoad: only('demo'),
  component: lazyRouteComponent(() => import('../features/auth/BypassPage.tsx'), 'BypassPage'),
});

export const demoRoutes = [testRoute, passRoute] as const;
