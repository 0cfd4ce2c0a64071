import type { IconType } from 'react-icons';
import {
  TbBell,
  TbBox,
  TbBroadcast,
  TbBuilding,
  TbBuildingFactory2,
  TbChartDots,
  TbChartLine,
  TbCpu,
  TbHistory,
  TbLayoutGrid,
  TbMessage2,
  TbPhoneCall,
  TbReportAnalytics,
  TbRulerMeasure,
  TbServer2,
  TbSettings,
  TbStack2,
  TbTool,
  TbUserCheck,
  TbUsers,
  TbWebhook,
} from 'react-icons/tb';
import { type Actor, can, type Permission } from '../../../domain/permission.ts';

export interface Place {
  label: string;
  to:
    | '/dashboard'
    | '/dashboard/alarms'
    | '/dashboard/my-work'
    | '/dashboard/on-call'
    | '/dashboard/trend'
    | '/reports'
    | '/reports/health'
    | '/reports/sms'
    | '/reports/acknowledgements'
    | '/reports/alarms'
    | '/reports/performance'
    | '/reports/delivery'
    | '/admin/sites'
    | '/admin/sensors'
    | '/admin/sensor-log'
    | '/admin/sensor-command'
    | '/admin/assets'
    | '/admin/datapoints'
    | '/admin/rules'
    | '/admin/maintenance'
    | '/admin/on-call'
    | '/admin/groups'
    | '/admin/users'
    | '/admin/alarm-default-message'
    | '/admin/audits'
    | '/admin/channels'
    | '/admin/destinations'
    | '/admin/company'
    | '/admin/system';
  icon: IconType;
  /** Name of a part of the page. Users with the permission can also find the page in the palette by this name. */
  holds?: { name: string; needs: Permission };
  /** Permission to see the entry. */
  needs?: Permission;
  /** Permission to open the page. Set only if the specification requires that everybody sees the entry. */
  opens?: Permission;
}

export interface PlaceGroup {
  label: string;
  icon: IconType;
  children: readonly Place[];
}

const mainPlaces: readonly Place[] = [
  { label: 'Dashboard', to: '/dashboard', icon: TbLayoutGrid, opens: 'alarm.read' },
  { label: 'Reports', to: '/reports', icon: TbReportAnalytics, opens: 'alarm.read' },
  { label: 'Admin', to: '/admin/sites', icon: TbSettings, needs: 'admin.enter' },
];

/** The page “My shifts” is listed in the user menu and the palette, and on a phone under More. */
const myShifts: Place = { label: 'My shifts', to: '/dashboard/on-call', icon: TbPhoneCall, needs: 'rota.read' };
/** The page “My work” is listed in the dashboard's tabs, the user menu and the palette, and on a phone under More. */
const myWork: Place = { label: 'My work', to: '/dashboard/my-work', icon: TbUserCheck, needs: 'alarm.read' };

export function ownPlacesFor(actor: Actor): Place[] {
  return [...(can(actor, 'alarm.read') ? [myWork] : []), ...(can(actor, 'rota.read') ? [myShifts] : [])];
}

/** Pages inside the dashboard and reports areas, which the palette opens directly. */
const innerPlaces: readonly Place[] = [
  { label: 'Alarms', to: '/dashboard/alarms', icon: TbBell, needs: 'alarm.read' },
  { label: 'Trend', to: '/dashboard/trend', icon: TbChartLine, needs: 'alarm.read' },
  { label: 'Health report', to: '/reports/health', icon: TbReportAnalytics, needs: 'alarm.read' },
  { label: 'SMS report', to: '/reports/sms', icon: TbReportAnalytics, needs: 'alarm.read' },
  { label: 'Acknowledgement report', to: '/reports/acknowledgements', icon: TbReportAnalytics, needs: 'alarm.read' },
  { label: 'Alarm report', to: '/reports/alarms', icon: TbReportAnalytics, needs: 'alarm.read' },
  { label: 'Alarm performance', to: '/reports/performance', icon: TbReportAnalytics, needs: 'alarm.read' },
  { label: 'Delivery report', to: '/reports/delivery', icon: TbReportAnalytics, needs: 'alarm.read' },
];

const adminEntries: readonly (Place | PlaceGroup)[] = [
  { label: 'Sites', to: '/admin/sites', icon: TbBuildingFactory2 },
  {
    label: 'Sensors',
    icon: TbCpu,
    children: [
      { label: 'Sensor List', to: '/admin/sensors', icon: TbCpu },
      { label: 'Sensor-log', to: '/admin/sensor-log', icon: TbCpu },
      { label: 'Sensor-Command', to: '/admin/sensor-command', icon: TbCpu },
    ],
  },
  { label: 'Assets', to: '/admin/assets', icon: TbBox, needs: 'asset.read' },
  { label: 'Data Points', to: '/admin/datapoints', icon: TbChartDots, opens: 'asset_datapoint.read' },
  { label: 'Rules & Alerts', to: '/admin/rules', icon: TbRulerMeasure, opens: 'rule.read' },
  { label: 'Maintenance', to: '/admin/maintenance', icon: TbTool, needs: 'maintenance.plan' },
  { label: 'On call', to: '/admin/on-call', icon: TbPhoneCall, needs: 'rota.plan' },
  { label: 'Groups', to: '/admin/groups', icon: TbStack2 },
  { label: 'Users', to: '/admin/users', icon: TbUsers, opens: 'user.create' },
  {
    label: 'Alarm Default Message',
    to: '/admin/alarm-default-message',
    icon: TbMessage2,
    opens: 'alarm_default_message.read',
  },
  { label: 'Audit Trail', to: '/admin/audits', icon: TbHistory, needs: 'audit.read' },
  // The specification does not contain the following sidebar entries, so they come last. Users who manage accounts are
  // allowed to see the senders.
  {
    label: 'Senders',
    to: '/admin/channels',
    icon: TbBroadcast,
    needs: 'user.create',
    holds: { name: 'outbox', needs: 'outbox.read' },
  },
  { label: 'Destinations', to: '/admin/destinations', icon: TbWebhook, needs: 'destination.read' },
  { label: 'Company', to: '/admin/company', icon: TbBuilding, needs: 'customer.update' },
  { label: 'System', to: '/admin/system', icon: TbServer2, needs: 'system.read' },
];

const allowed = (actor: Actor) => (entry: Place | PlaceGroup) =>
  'children' in entry || entry.needs === undefined || can(actor, entry.needs);

/** Returns the header links that this user is allowed to see. */
export function mainPlacesFor(actor: Actor): Place[] {
  return mainPlaces.filter(allowed(actor));
}

/** Returns the sidebar entries that this user is allowed to see. */
export function adminEntriesFor(actor: Actor): (Place | PlaceGroup)[] {
  return can(actor, 'admin.enter') ? adminEntries.filter(allowed(actor)) : [];
}

/** Returns all pages that the user is allowed to open, for the command palette. */
export function allPlacesFor(actor: Actor): Place[] {
  const admin = adminEntriesFor(actor).flatMap((entry) => ('children' in entry ? entry.children : [entry]));
  const main = mainPlacesFor(actor).filter((place) => place.label !== 'Admin');
  const listed = [...main, ...ownPlacesFor(actor), ...innerPlaces.filter(allowed(actor)), ...admin];
  return listed.filter(({ opens }) => opens === undefined || can(actor, opens));
}

/** Returns true if a URL path belongs to the entry, which means that both start with the same segment. */
export function isWithin(pathname: string, place: Place): boolean {
  const area = `/${place.to.split('/')[1]}`;
  return pathname === area || pathname.startsWith(`${area}/`);
}
