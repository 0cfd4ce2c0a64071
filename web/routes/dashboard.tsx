import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { landing, only } from './guards.ts';
import { shellRoute } from './root.tsx';
import { listSearch } from './search.ts';

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: (asked) => {
    only('signed-in')(asked);
    throw redirect({ to: landing('/dashboard'), replace: true });
  },
});

const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  validateSearch: listSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../app/dashboard/DashboardPage.tsx'), 'DashboardPage'),
});

const alarmsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/alarms',
  validateSearch: listSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/alarm/list/AlarmListPage.tsx'), 'AlarmListPage'),
});

const siteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/site/$uuid',
  validateSearch: listSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/site-view/SiteViewPage.tsx'), 'SiteViewPage'),
});

const trendRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/trend',
  validateSearch: listSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/trend/TrendPage.tsx'), 'TrendPage'),
});

const alarmRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/alarms/$uuid',
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/alarm/detail/AlarmPage.tsx'), 'AlarmPage'),
});

const myWorkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/my-work',
  validateSearch: listSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../app/my-work/MyWorkPage.tsx'), 'MyWorkPage'),
});

const onCallRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/on-call',
  validateSearch: listSearch,
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/on-call/mine/MyOnCallPage.tsx'), 'MyOnCallPage'),
});

export const dashboardRoutes = [
  homeRoute,
  dashboardRoute,
  alarmsRoute,
  alarmRoute,
  myWorkRoute,
  onCallRoute,
  siteRoute,
  trendRoute,
] as const;
