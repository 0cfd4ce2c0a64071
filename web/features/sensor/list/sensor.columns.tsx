import type { CsvValue } from '../../../../domain/csv.ts';
import { Named, Quantity, Text } from '../../../kit/list/cells.tsx';
import { rowsOf } from '../../../kit/list/list.ts';
import { columnsOf } from '../../../ui/table/columns.ts';
import { Age } from '../../../ui/time/Age.tsx';
import type { SensorRow } from '../sensor.queries.ts';
import { sensorStatuses, sensorTypes } from '../sensor-words.ts';

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

/**
 * Returns the columns of the table. The site comes from the data points, so users who are not allowed to read data
 * points do not see a site column.
 */
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
      meta: { width: 92, wideOnly: true },
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
    column.accessor((sensor) => sensor.gateway?.uid, {
      id: 'gateway',
      header: 'Gateway',
      enableSorting: false,
      meta: { width: 132, quiet: true, wideOnly: true, optional: true },
      cell: ({ getValue }) => <Text>{getValue()}</Text>,
    }),
    column.accessor('frameFormat', {
      header: 'Frame format',
      enableSorting: false,
      meta: { width: 108, quiet: true, wideOnly: true, optional: true },
    }),
    column.accessor('lastContact', {
      header: 'Last contact',
      enableSorting: false,
      meta: { width: 104, align: 'end', quiet: true, wideOnly: true },
      cell: ({ getValue }) => <Age at={getValue()} never="Never" />,
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

interface ExportColumn {
  header: string;
  value: (sensor: SensorRow) => CsvValue;
}

/** Returns the columns of the download, which match those of the table. */
export function sensorExport(withSite: boolean): ExportColumn[] {
  return [
    { header: 'UID', value: ({ uid }) => uid },
    { header: 'Type', value: ({ sensorType }) => sensorTypes[sensorType] },
    { header: 'Status', value: ({ status }) => sensorStatuses[status] },
    ...(withSite ? [{ header: 'Site', value: siteNames }] : []),
    { header: 'Description', value: ({ description }) => description },
    { header: 'Gateway', value: ({ gateway }) => gateway?.uid },
    { header: 'Frame format', value: ({ frameFormat }) => frameFormat },
    { header: 'Channels', value: ({ sensorChannels }) => sensorChannels.totalCount },
    { header: 'Last contact', value: ({ lastContact }) => lastContact },
  ];
}
