import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only } from './guards.ts';
import { shellRoute } from './root.tsx';
import { listSearch } from './search.ts';

/** Guards all pages of the reports area. */
const areaRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reports',
  beforeLoad: only('signed-in'),
});

const getParentRoute = () => areaRoute;

const indexRoute = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../app/reports/ReportsPage.tsx'), 'ReportsPage'),
});

const healthRoute = createRoute({
  getParentRoute,
  path: 'health',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/report/health/HealthReportPage.tsx'), 'HealthReportPage'),
});

const smsRoute = createRoute({
  getParentRoute,
  path: 'sms',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/report/sms/SmsReportPage.tsx'), 'SmsReportPage'),
});

const deliveryRoute = createRoute({
  getParentRoute,
  path: 'delivery',
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../features/report/delivery/DeliveryReportPage.tsx'),
    'DeliveryReportPage',
  ),
});

const alarmsRoute = createRoute({
  getParentRoute,
  path: 'alarms',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/report/alarms/AlarmReportPage.tsx'), 'AlarmReportPage'),
});

const performanceRoute = createRoute({
  getParentRoute,
  path: 'performance',
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../features/report/performance/PerformanceReportPage.tsx'),
    'PerformanceReportPage',
  ),
});

const acknowledgementsRoute = createRoute({
  getParentRoute,
  path: 'acknowledgements',
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../features/report/acknowledgements/AcknowledgementReportPage.tsx'),
    'AcknowledgementReportPage',
  ),
});

export const reportsRoute = areaRoute.addChildren([
  indexRoute,
  healthRoute,
  smsRoute,
  alarmsRoute,
  performanceRoute,
  acknowledgementsRoute,
  deliveryRoute,
]);
