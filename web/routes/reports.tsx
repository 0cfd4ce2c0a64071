import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only } from './guards.ts';
import { shellRoute } from './root.tsx';

export const reportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reports',
  beforeLoad: only('signed-in'),
  component: lazyRouteComponent(() => import('../features/report/ReportsPage.tsx'), 'ReportsPage'),
});
