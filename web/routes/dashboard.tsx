import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { only } from './guards.ts';
import { rootRoute } from './root.tsx';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true });
  },
});

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/dashboard/DashboardPage.tsx'), 'DashboardPage'),
});

export const dashboardRoutes = [homeRoute, dashboardRoute] as const;
