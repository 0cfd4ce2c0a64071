import type { CsvValue } from '../../../domain/csv.ts';
import { datapointMark } from '../../kit/format/state-mark.ts';
import { Named, None, Quantity, Text } from '../../kit/list/cells.tsx';
import { rowsOf } from '../../kit/list/list.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { noData } from '../../ui/state-words.ts';
import { columnsOf } from '../../ui/table/columns.ts';
import { Age } from '../../ui/time/Age.tsx';
import type { DatapointRow } from './datapoint.queries.ts';
import { valueWord } from './value-words.ts';

const column = columnsOf<DatapointRow>();

export const datapointColumns = column.columns([
  column.accessor('tocsinDatapointName', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original: datapoint } }) => (
      <Named
        name={datapoint.tocsinDatapointName}
        below={[datapoint.asset?.name, datapoint.asset?.site?.name].filter(Boolean).join(', ')}
      />
    ),
  }),
  column.accessor((datapoint) => datapoint.asset?.name, {
    id: 'asset',
    header: 'Asset',
    enableSorting: false,
    meta: { width: 140, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((datapoint) => datapoint.asset?.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true, roomyOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((datapoint) => datapoint.sensor?.uid, {
    id: 'sensor',
    header: 'Sensor, channel',
    enableSorting: false,
    meta: { width: 156, quiet: true, wideOnly: true },
    cell: ({ row: { original: datapoint } }) =>
      datapoint.sensor ? `${datapoint.sensor.uid}, ${datapoint.sensorChannel?.channelNumber ?? '–'}` : <None />,
  }),
  column.accessor('latestValue', {
    header: 'Value',
    enableSorting: false,
    meta: { width: 104, narrow: 84, align: 'end' },
    cell: ({ row: { original: datapoint } }) =>
      valueWord(datapoint) ?? <Quantity value={datapoint.latestValue} unit={datapoint.uom} />,
  }),
  column.accessor('status', {
    header: 'State',
    meta: { width: 96, narrow: 92 },
    cell: ({ row: { original: datapoint } }) => (
      <StateMark {...datapointMark(datapoint.status, rowsOf(datapoint.alarms))} />
    ),
  }),
  column.accessor('lastUpdated', {
    header: 'Age',
    enableSorting: false,
    meta: { width: 88, align: 'end', quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Age at={getValue()} never="Never" />,
  }),
  column.accessor('tocsinAssetDatapointOrder', {
    header: 'Order',
    meta: { width: 72, align: 'end', quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Quantity value={getValue()} />,
  }),
]);

export const datapointExport: readonly { header: string; value: (datapoint: DatapointRow) => CsvValue }[] = [
  { header: 'Name', value: ({ tocsinDatapointName }) => tocsinDatapointName },
  { header: 'Asset', value: ({ asset }) => asset?.name },
  { header: 'Site', value: ({ asset }) => asset?.site?.name },
  { header: 'Sensor', value: ({ sensor }) => sensor?.uid },
  { header: 'Channel', value: ({ sensorChannel }) => sensorChannel?.channelNumber },
  { header: 'Value', value: ({ latestValue }) => latestValue },
  { header: 'Unit', value: ({ uom }) => uom },
  { header: 'State', value: ({ status }) => [noData, 'Normal', 'Alarm', 'Stale'][status] },
  { header: 'Last updated', value: ({ lastUpdated }) => lastUpdated },
  { header: 'Order', value: ({ tocsinAssetDatapointOrder }) => tocsinAssetDatapointOrder },
];
