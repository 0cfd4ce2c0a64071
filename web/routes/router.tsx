import { createRouter } from '@tanstack/react-router';
import { PageSkeleton } from '../ui/Skeleton.tsx';
import { adminTree } from './admin.tsx';
import { authRoutes } from './auth.tsx';
import { dashboardRoutes } from './dashboard.tsx';
import { demoRoutes } from './demo.tsx';
import { errorRoutes } from './error.tsx';
import { FailedPage } from './FailedPage.tsx';
import { reportsRoute } from './reports.tsx';
import { rootRoute, shellRoute } from './root.tsx';
import { parseSearch, stringifySearch } from './search.ts';

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...authRoutes,
    ...demoRoutes,
    ...errorRoutes,
    shellRoute.addChildren([...dashboardRoutes, reportsRoute, adminTree]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: FailedPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
