import { plainWords } from '../../../../domain/csv.ts';
import { acknowledgementOf, assetOf, severityOf } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { readValue } from '../../../kit/format/value.ts';
import type { ExportColumn } from '../../../kit/list/ExportButton.tsx';
import type { ListView } from '../../../ui/table/list-view.ts';
import type { AlarmRow } from '../alarm.queries.ts';
import { summarizeConditions } from '../conditions.ts';
import { limitValues, limitWords, readCriteria } from '../criteria.ts';
import { showOf } from './alarm-filter.ts';

const given = (alarm: AlarmRow) => acknowledgementOf(alarm.acknowledgeJson);
const value = ({ datapoint, criteria }: AlarmRow) =>
  datapoint && readValue(datapoint, 'en', limitValues(readCriteria(criteria)));
const conditions = (alarm: AlarmRow) => summarizeConditions(alarm, 'en');

/** Columns of the exported file. They cover all fields of both the list of open alarms and the list of past alarms. */
export const alarmExport: readonly ExportColumn<AlarmRow>[] = [
  { header: 'Severity', value: ({ severity }) => severityOf(severity) },
  { header: 'Message', value: ({ message, siteName }) => withoutSite(message, siteName) },
  { header: 'Site', value: ({ siteName }) => siteName },
  { header: 'Asset', value: assetOf },
  { header: 'Opened', value: ({ dateTime }) => utcSecond(dateTime) },
  { header: 'Resolved', value: ({ resolvedDate }) => utcSecond(resolvedDate) },
  {
    header: 'Duration (s)',
    value: ({ dateTime, resolvedDate }) =>
      resolvedDate === null ? null : Math.floor((Date.parse(resolvedDate) - Date.parse(dateTime)) / 1000),
  },
  // Empty for a past alarm, because the current value of the data point is unrelated to that alarm.
  { header: 'Value now', value: (alarm) => (alarm.resolvedDate === null ? valueCell(alarm) : null) },
  {
    header: 'Unit',
    value: (alarm) => (alarm.resolvedDate === null ? (conditions(alarm) ?? value(alarm))?.unit : null),
  },
  { header: 'Limit', value: (alarm) => plainWords(limitCell(alarm)) },
  { header: 'Occurrences', value: ({ occurrences }) => occurrences },
  { header: 'People notified', value: ({ notifiedCount }) => notifiedCount },
  { header: 'Escalations', value: ({ escalationStep }) => escalationStep },
  { header: 'Acknowledged by', value: (alarm) => given(alarm)?.name },
  { header: 'Acknowledged', value: (alarm) => utcSecond(given(alarm)?.at ?? null) },
  { header: 'Reason', value: (alarm) => given(alarm)?.reason },
  { header: 'Note', value: (alarm) => given(alarm)?.text },
  // Empty if the alarm resolved automatically.
  { header: 'Resolved by', value: ({ resolvedName }) => resolvedName },
  { header: 'Resolution note', value: ({ resolveNote }) => resolveNote },
];

/** Formats a time in UTC without milliseconds. */
function utcSecond(at: string | null): string | null {
  return at === null ? null : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns the value as a number, the text of a digital state, or how many of several conditions are met. */
function valueCell(alarm: AlarmRow) {
  const short = conditions(alarm);
  if (short) {
    return short.number ?? short.value;
  }
  const { datapoint } = alarm;
  return datapoint && (datapoint.sensorType === 1 ? value(alarm)?.text : datapoint.latestValue);
}

function limitCell(alarm: AlarmRow): string {
  const criteria = readCriteria(alarm.criteria);
  return criteria === null ? '' : limitWords(criteria, 'en');
}

/** Returns the file name with the kind of alarms and the export time: `open-alarms-2026-03-02T0930Z`. */
export function exportName(view: ListView, now: Date): string {
  return `${showOf(view)}-alarms-${now.toISOString().slice(0, 16).replace(':', '')}Z`;
}
