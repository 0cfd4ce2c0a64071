import type { CsvValue } from '../../../domain/csv.ts';
import { siteMark } from '../../kit/format/state-mark.ts';
import { Named, Quantity, Text } from '../../kit/list/cells.tsx';
import { rowsOf } from '../../kit/list/list.ts';
import { wordsOfLevel } from '../../kit/session/group-words.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { noData } from '../../ui/state-words.ts';
import { columnsOf } from '../../ui/table/columns.ts';
import { Age } from '../../ui/time/Age.tsx';
import { SignalBars } from './SignalBars.tsx';
import type { SiteRow } from './site.queries.ts';

const column = columnsOf<SiteRow>();

/** Returns the names of the groups above the unit office, largest group first: `North › Fells`. */
function groupsOf(site: SiteRow): string {
  return [site.group2, site.group3, site.group4].flatMap((group) => (group ? [group.name] : [])).join(' › ');
}

export const siteColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original: site } }) => (
      <Named name={site.name} below={[site.siteId, site.group5?.name].filter(Boolean).join(' · ')} />
    ),
  }),
  column.accessor('siteId', { header: 'Site ID', meta: { width: 80, quiet: true, wideOnly: true, roomyOnly: true } }),
  column.accessor('siteType', {
    header: 'Type',
    meta: { width: 124, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('siteCategory', {
    header: 'Category',
    meta: { width: 92, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor(groupsOf, {
    id: 'groups',
    header: 'Groups',
    enableSorting: false,
    meta: { width: 112, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((site) => site.group5?.name, {
    id: 'office',
    header: 'Unit office',
    enableSorting: false,
    meta: { width: 104, wideOnly: true, roomyOnly: true },
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
    meta: { width: 116, narrow: 114 },
    cell: ({ row: { original: site } }) => <StateMark {...siteMark(site.siteStatus, rowsOf(site.alarms))} />,
  }),
]);

/** Returns the columns of the download. */
export const siteExport = (): readonly { header: string; value: (site: SiteRow) => CsvValue }[] => [
  { header: 'Name', value: (site) => site.name },
  { header: 'Site ID', value: (site) => site.siteId },
  { header: 'Type', value: (site) => site.siteType },
  { header: 'Category', value: (site) => site.siteCategory },
  { header: wordsOfLevel(2).title, value: (site) => site.group2?.name },
  { header: wordsOfLevel(3).title, value: (site) => site.group3?.name },
  { header: wordsOfLevel(4).title, value: (site) => site.group4?.name },
  { header: wordsOfLevel(5).title, value: (site) => site.group5?.name },
  { header: 'Address', value: (site) => site.address },
  { header: 'Phone number (SIM)', value: (site) => site.phoneNumber },
  { header: 'GSM provider', value: (site) => site.gsmProvider },
  { header: 'GSM signal (dBm)', value: (site) => site.gsmSignalStrength },
  { header: 'Silent after (hours)', value: (site) => site.tocsinHealthDurationHours },
  { header: 'Last contact', value: (site) => site.lastUpdate },
  { header: 'State', value: (site) => stateWords[site.siteStatus] },
];

const stateWords: Readonly<Record<number, string>> = { 0: noData, 1: 'Normal', 2: 'Alarm', 3: 'Silent' };
