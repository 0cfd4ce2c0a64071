import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { only } from './guards.ts';
import { shellRoute } from './root.tsx';

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true });
  },
});

/** The parameters a list keeps in its address, as texts; each page reads those it knows. */
type ListSearch = { [name: string]: string | undefined };

const validateSearch = (search: Record<string, unknown>) => search as ListSearch;

const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  validateSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/dashboard/DashboardPage.tsx'), 'DashboardPage'),
});

const alarmsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/alarms',
  validateSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/alarm/AlarmListPage.tsx'), 'AlarmListPage'),
});

export const dashboardRoutes = [homeRoute, dashboardRoute, alarmsRoute] as const;
