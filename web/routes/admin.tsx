import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { FailedPage } from './FailedPage.tsx';
import { needs, only } from './guards.ts';
import { shellRoute } from './root.tsx';
import { listSearch } from './search.ts';

/** Guards the whole admin area. If this guard denies access, no page of the area is checked or loaded. */
const adminRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin',
  beforeLoad: (asked) => {
    only('signed-in')(asked);
    needs('admin.enter')();
  },
  errorComponent: FailedPage,
});

const getParentRoute = () => adminRoute;

const indexRoute = createRoute({
  getParentRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/sites', replace: true });
  },
});

const sitesRoute = createRoute({
  getParentRoute,
  path: 'sites',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/site/SiteListPage.tsx'), 'SiteListPage'),
});

const siteRoute = createRoute({
  getParentRoute,
  path: 'sites/$uuid',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/site/SitePage.tsx'), 'SitePage'),
});

const sensorsRoute = createRoute({
  getParentRoute,
  path: 'sensors',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/sensor/list/SensorListPage.tsx'), 'SensorListPage'),
});

const sensorLogRoute = createRoute({
  getParentRoute,
  path: 'sensor-log',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/sensor-log/SensorLogPage.tsx'), 'SensorLogPage'),
});

const sensorCommandRoute = createRoute({
  getParentRoute,
  path: 'sensor-command',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/sensor-command/SensorCommandPage.tsx'), 'SensorCommandPage'),
});

const assetsRoute = createRoute({
  getParentRoute,
  path: 'assets',
  validateSearch: listSearch,
  beforeLoad: needs('asset.read'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/asset/AssetListPage.tsx'), 'AssetListPage'),
});

const datapointsRoute = createRoute({
  getParentRoute,
  path: 'datapoints',
  validateSearch: listSearch,
  beforeLoad: needs('asset_datapoint.read'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/datapoint/DatapointListPage.tsx'), 'DatapointListPage'),
});

const rulesRoute = createRoute({
  getParentRoute,
  path: 'rules',
  validateSearch: listSearch,
  beforeLoad: needs('rule.read'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/rule/list/RuleListPage.tsx'), 'RuleListPage'),
});

const planRoute = createRoute({
  getParentRoute,
  path: 'rules/plan/$uuid',
  validateSearch: listSearch,
  beforeLoad: needs('rule_alert.update'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/rule/plan/PlanPage.tsx'), 'PlanPage'),
});

const groupsRoute = createRoute({
  getParentRoute,
  path: 'groups',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../features/group/GroupListPage.tsx'), 'GroupListPage'),
});

const maintenanceRoute = createRoute({
  getParentRoute,
  path: 'maintenance',
  validateSearch: listSearch,
  beforeLoad: needs('maintenance.plan'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/maintenance/MaintenancePage.tsx'), 'MaintenancePage'),
});

const rotasRoute = createRoute({
  getParentRoute,
  path: 'on-call',
  validateSearch: listSearch,
  beforeLoad: needs('rota.plan'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/on-call/list/RotaListPage.tsx'), 'RotaListPage'),
});

const rotaRoute = createRoute({
  getParentRoute,
  path: 'on-call/$uuid',
  validateSearch: listSearch,
  beforeLoad: needs('rota.plan'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/on-call/rota/RotaPage.tsx'), 'RotaPage'),
});

const usersRoute = createRoute({
  getParentRoute,
  path: 'users',
  validateSearch: listSearch,
  // All users are allowed to read their own account, but the list of users is only for users who manage others.
  beforeLoad: needs('user.create'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/user/UserListPage.tsx'), 'UserListPage'),
});

const messagesRoute = createRoute({
  getParentRoute,
  path: 'alarm-default-message',
  validateSearch: listSearch,
  beforeLoad: needs('alarm_default_message.read'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(
    () => import('../features/alarm-default-message/AlarmDefaultMessagePage.tsx'),
    'AlarmDefaultMessagePage',
  ),
});

const auditsRoute = createRoute({
  getParentRoute,
  path: 'audits',
  validateSearch: listSearch,
  beforeLoad: needs('audit.read'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/audit/AuditListPage.tsx'), 'AuditListPage'),
});

const channelsRoute = createRoute({
  getParentRoute,
  path: 'channels',
  beforeLoad: needs('user.create'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/sender/SenderPage.tsx'), 'SenderPage'),
});

const destinationsRoute = createRoute({
  getParentRoute,
  path: 'destinations',
  validateSearch: listSearch,
  beforeLoad: needs('destination.read'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/destination/DestinationListPage.tsx'), 'DestinationListPage'),
});

const companyRoute = createRoute({
  getParentRoute,
  path: 'company',
  beforeLoad: needs('customer.update'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/customer/CompanyPage.tsx'), 'CompanyPage'),
});

const systemRoute = createRoute({
  getParentRoute,
  path: 'system',
  beforeLoad: needs('system.read'),
  errorComponent: FailedPage,
  component: lazyRouteComponent(() => import('../features/system/SystemPage.tsx'), 'SystemPage'),
});

export const adminTree = adminRoute.addChildren([
  indexRoute,
  sitesRoute,
  siteRoute,
  sensorsRoute,
  sensorLogRoute,
  sensorCommandRoute,
  assetsRoute,
  datapointsRoute,
  rulesRoute,
  planRoute,
  groupsRoute,
  maintenanceRoute,
  rotasRoute,
  rotaRoute,
  usersRoute,
  messagesRoute,
  auditsRoute,
  channelsRoute,
  destinationsRoute,
  companyRoute,
  systemRoute,
]);
