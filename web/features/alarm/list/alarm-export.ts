import { plainWords } from '../../../../domain/csv.ts';
import { acknowledgementOf, assetOf, severityOf } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { readValue } from '../../../kit/format/value.ts';
import type { ExportColumn } from '../../../kit/list/ExportButton.tsx';
import type { ListView } from '../../../ui/table/list-view.ts';
import type { AlarmRow } from '../alarm.queries.ts';
import { conditionsInShort } from '../conditions.ts';
import { limitsIn, limitWords, readJudgedBy } from '../judged-by.ts';
import { showOf } from './alarm-filter.ts';

const given = (alarm: AlarmRow) => acknowledgementOf(alarm.acknowledgeJson);
const judged = (alarm: AlarmRow) => readJudgedBy(alarm.judgedBy);
const value = ({ datapoint, judgedBy }: AlarmRow) =>
  datapoint && readValue(datapoint, 'en', limitsIn(readJudgedBy(judgedBy)));
const conditions = (alarm: AlarmRow) => conditionsInShort(alarm, 'en');

/** What a file of alarms says of each: all that the list shows of open and past ones. */
export const alarmExport: readonly ExportColumn<AlarmRow>[] = [
  { header: 'Severity', value: ({ severity }) => severityOf(severity) },
  { header: 'Message', value: ({ message, siteName }) => withoutSite(message, siteName) },
  { header: 'Site', value: ({ siteName }) => siteName },
  { header: 'Asset', value: assetOf },
  { header: 'Opened', value: ({ dateTime }) => moment(dateTime) },
  { header: 'Resolved', value: ({ resolvedDate }) => moment(resolvedDate) },
  {
    header: 'Lasted, seconds',
    value: ({ dateTime, resolvedDate }) =>
      resolvedDate === null ? null : Math.floor((Date.parse(resolvedDate) - Date.parse(dateTime)) / 1000),
  },
  // Of a past alarm it would say nothing about the alarm.
  { header: 'Value now', value: (alarm) => (alarm.resolvedDate === null ? measured(alarm) : null) },
  {
    header: 'Unit',
    value: (alarm) => (alarm.resolvedDate === null ? (conditions(alarm) ?? value(alarm))?.unit : null),
  },
  { header: 'Limit', value: (alarm) => plainWords(words(alarm)) },
  { header: 'Occurrences', value: ({ occurrences }) => occurrences },
  { header: 'People notified', value: ({ toldCount }) => toldCount },
  { header: 'Escalations', value: ({ escalationStep }) => escalationStep },
  { header: 'Acknowledged by', value: (alarm) => given(alarm)?.name },
  { header: 'Acknowledged', value: (alarm) => moment(given(alarm)?.at ?? null) },
  { header: 'Reason', value: (alarm) => given(alarm)?.reason },
  { header: 'Note', value: (alarm) => given(alarm)?.text },
  // Empty where it resolved by itself.
  { header: 'Resolved by', value: ({ resolvedName }) => resolvedName },
  { header: 'Resolution note', value: ({ resolveNote }) => resolveNote },
];

/** To the second and in one form, whoever wrote it down. */
function moment(at: string | null): string | null {
  return at === null ? null : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A number as a number, so that a spreadsheet counts with it, a digital state as its word, and of conditions how many hold. */
function measured(alarm: AlarmRow) {
  const short = conditions(alarm);
  if (short) {
    return short.number ?? short.value;
  }
  const { datapoint } = alarm;
  return datapoint && (datapoint.sensorType === 1 ? value(alarm)?.text : datapoint.latestValue);
}

function words(alarm: AlarmRow): string {
  const by = judged(alarm);
  return by === null ? '' : limitWords(by, 'en');
}

/** `open-alarms-2026-03-02T0930Z`: which alarms, and when it was so. */
export function exportName(view: ListView, now: Date): string {
  return `${showOf(view)}-alarms-${now.toISOString().slice(0, 16).replace(':', '')}Z`;
}
