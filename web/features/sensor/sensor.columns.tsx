import { columnsOf } from '../../ui/table/columns.ts';
import { Named, Quantity, Text } from '../list/cells.tsx';
import { rowsOf } from '../list/list.ts';
import type { SensorRow } from './sensor.queries.ts';
import { sensorStatuses, sensorTypes } from './sensor-words.ts';

const column = columnsOf<SensorRow>();

function siteNames(sensor: SensorRow): string {
  const names = rowsOf(sensor.assetDatapoints).map((datapoint) => datapoint.asset?.site?.name);
  return [...new Set(names.filter(Boolean))].join(', ');
}

const site = column.accessor(siteNames, {
  id: 'site',
  header: 'Site',
  enableSorting: false,
  meta: { wideOnly: true },
  cell: ({ getValue }) => <Text>{getValue()}</Text>,
});

/** The site is known through the data points; who may not read those is not shown an empty column. */
export function sensorColumns(withSite: boolean) {
  return column.columns([
    column.accessor('uid', {
      header: 'UID',
      enableHiding: false,
      meta: { strong: true, width: 180, narrow: 156 },
      cell: ({ row: { original: sensor } }) => (
        <Named name={sensor.uid} below={(withSite && siteNames(sensor)) || sensor.description} />
      ),
    }),
    column.accessor('sensorType', {
      header: 'Type',
      meta: { width: 92, narrow: 76 },
      cell: ({ getValue }) => sensorTypes[getValue()] ?? `Type ${getValue()}`,
    }),
    column.accessor('status', {
      header: 'Status',
      meta: { width: 108, wideOnly: true },
      cell: ({ getValue }) => sensorStatuses[getValue()] ?? `Status ${getValue()}`,
    }),
    ...(withSite ? [site] : []),
    column.accessor('description', {
      header: 'Description',
      enableSorting: false,
      meta: { quiet: true, wideOnly: true },
      cell: ({ getValue }) => <Text>{getValue()}</Text>,
    }),
    column.accessor((sensor) => sensor.sensorChannels.totalCount, {
      id: 'channels',
      header: 'Channels',
      enableSorting: false,
      meta: { width: 84, align: 'end' },
      cell: ({ getValue }) => <Quantity value={getValue()} />,
    }),
  ]);
}
