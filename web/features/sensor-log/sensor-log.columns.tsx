import { type CsvValue, plainWords } from '../../../domain/csv.ts';
import { Moment } from '../../kit/list/cells.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DecodedText } from './DecodedText.tsx';
import { protocolName, type Reading } from './decoded-frame.ts';
import { FrameText } from './FrameText.tsx';
import { readingLine } from './gateway-call.ts';
import { problemText } from './rejected-device.ts';
import type { SensorLogRow } from './sensor-log.queries.ts';

/** Frame with its decoded values. */
export interface LogEntry extends SensorLogRow {
  reading: Reading;
}

const column = columnsOf<LogEntry>();

export const sensorLogColumns = column.columns([
  column.accessor('dateTime', {
    header: 'Received',
    enableSorting: false,
    enableHiding: false,
    meta: { width: 176, narrow: 124, quiet: true, wrap: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('uid', {
    header: 'UID',
    enableSorting: false,
    meta: { width: 148, strong: true, wideOnly: true },
  }),
  column.accessor(protocolName, {
    id: 'protocol',
    header: 'Protocol',
    enableSorting: false,
    meta: { width: 92, quiet: true, wideOnly: true },
  }),
  column.accessor('rawData', {
    header: 'Raw data',
    enableSorting: false,
    enableHiding: false,
    meta: { wrap: true },
    cell: ({ row }) => <FrameText frame={row.original} />,
  }),
  column.accessor((entry) => decodedText(entry), {
    id: 'decoded',
    header: 'Decoded',
    enableSorting: false,
    meta: { wrap: true, wideOnly: true },
    cell: ({ row }) => <DecodedText {...row.original} />,
  }),
]);

/**
 * Returns the decoded values as text; empty if the frame could not be decoded. The problem is shown next to the raw
 * data.
 */
function decodedText({ reading, problem }: LogEntry): string {
  return reading.problem === null ? readingLine(reading, problem) : '';
}

export const sensorLogExport: readonly { header: string; value: (entry: LogEntry) => CsvValue }[] = [
  { header: 'Received', value: ({ dateTime }) => dateTime },
  { header: 'UID', value: ({ uid }) => uid },
  { header: 'Protocol', value: (entry) => protocolName(entry).toLowerCase() },
  { header: 'Raw data', value: ({ rawData }) => rawData },
  { header: 'Encoding', value: ({ encoding }) => encoding },
  { header: 'Decoded', value: (entry) => plainWords(decodedText(entry)) },
  { header: 'Problem', value: problemText },
  { header: 'Note', value: ({ note }) => note },
];
