import { StateMark } from '../../ui/StateMark.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { Age } from '../../ui/time/Age.tsx';
import { Named, Quantity, Text } from '../list/cells.tsx';
import { rowsOf } from '../list/list.ts';
import { siteMark } from '../list/open-alarm.ts';
import { SignalBars } from './SignalBars.tsx';
import type { SiteRow } from './site.queries.ts';

const column = columnsOf<SiteRow>();

export const siteColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original: site } }) => (
      <Named name={site.name} below={[site.siteId, site.group5?.name].filter(Boolean).join(' · ')} />
    ),
  }),
  column.accessor('siteId', { header: 'Site ID', meta: { width: 92, quiet: true, wideOnly: true } }),
  column.accessor('siteType', {
    header: 'Type',
    meta: { width: 132, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('siteCategory', {
    header: 'Category',
    meta: { width: 104, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((site) => site.group5?.name, {
    id: 'office',
    header: 'Unit office',
    enableSorting: false,
    meta: { width: 116, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('address', {
    header: 'Address',
    enableSorting: false,
    meta: { width: 220, wideOnly: true, optional: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('phoneNumber', {
    header: 'Phone number (SIM)',
    enableSorting: false,
    meta: { width: 148, quiet: true, wideOnly: true, optional: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('gsmSignalStrength', {
    header: 'GSM',
    meta: { width: 108, wideOnly: true },
    cell: ({ row: { original: site } }) => <SignalBars dbm={site.gsmSignalStrength} provider={site.gsmProvider} />,
  }),
  column.accessor('tocsinHealthDurationHours', {
    header: 'Silent after',
    enableSorting: false,
    meta: { width: 92, align: 'end', wideOnly: true },
    cell: ({ getValue }) => <Quantity value={getValue()} unit="h" />,
  }),
  column.accessor('lastUpdate', {
    header: 'Last contact',
    meta: { width: 108, narrow: 88, align: 'end' },
    cell: ({ getValue }) => <Age at={getValue()} never="Never" />,
  }),
  column.accessor('siteStatus', {
    header: 'State',
    meta: { width: 100, narrow: 92 },
    cell: ({ row: { original: site } }) => <StateMark {...siteMark(site.siteStatus, rowsOf(site.alarms))} />,
  }),
]);
