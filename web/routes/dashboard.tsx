import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { only } from './guards.ts';
import { shellRoute } from './root.tsx';
import { listSearch } from './search.ts';

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true });
  },
});

const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  validateSearch: listSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/dashboard/DashboardPage.tsx'), 'DashboardPage'),
});

const alarmsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/alarms',
  validateSearch: listSearch,
  // The link of a message leads here, and its reader may have to sign in first: the alarm it is about must not be lost.
  beforeLoad: ({ location, search }) => only('signed-in', search.acknowledge && location.href)(),
  component: lazyRouteComponent(() => import('../features/alarm/AlarmListPage.tsx'), 'AlarmListPage'),
});

export const dashboardRoutes = [homeRoute, dashboardRoute, alarmsRoute] as const;
