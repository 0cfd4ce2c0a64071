import { formatBetween } from '../../../../domain/age.ts';
import { methodTitle } from '../../../../domain/notification/methods.ts';
import { acknowledgedVia, countsForAcknowledgement } from '../../../../domain/report/acknowledgement.ts';
import { isSentOrDelivered, messageKinds, shownStateName } from '../../../../domain/report/shown-state.ts';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { Named } from '../../../kit/list/cells.tsx';
import { columnsOf } from '../../../ui/table/columns.ts';
import type { AcknowledgementRow } from '../acknowledgement.queries.ts';

const column = columnsOf<AcknowledgementRow>();
const fixed = { enableHiding: false } as const;

/** Columns for messages of all methods. */
export const columnsOfMessages = column.columns([
  column.accessor('notifyTime', {
    id: 'time',
    header: 'Due',
    ...fixed,
    meta: { width: 112, narrow: 88, quiet: true, wrap: true },
    cell: ({ getValue }) => <At at={getValue()} />,
  }),
  column.accessor('notifyMessage', {
    header: 'Message',
    ...fixed,
    enableSorting: false,
    meta: { strong: true, wrap: true },
    cell: ({ row: { original } }) => <Named name={original.notifyMessage} below={stateText(original)} />,
  }),
  column.accessor((row) => row.site?.name ?? '–', {
    id: 'site',
    header: 'Site',
    ...fixed,
    meta: { width: 192, wideOnly: true, roomyOnly: true, wrap: true },
  }),
  column.accessor((row) => row.site?.group5?.name ?? '–', {
    id: 'office',
    header: 'Unit office',
    ...fixed,
    meta: { width: 136, quiet: true, wideOnly: true, roomyOnly: true, wrap: true },
  }),
  column.accessor('methodType', {
    id: 'way',
    header: 'Method',
    ...fixed,
    enableSorting: false,
    meta: { width: 88, wideOnly: true, roomyOnly: true },
    cell: ({ getValue }) => methodTitle(getValue()),
  }),
  column.accessor('recipientName', {
    id: 'person',
    header: 'To',
    ...fixed,
    meta: { width: 152, wideOnly: true, roomyOnly: true, wrap: true },
    cell: ({ row }) => toWords(row.original),
  }),
  column.accessor('ackByRecipientName', {
    id: 'by',
    header: 'Acknowledged by',
    ...fixed,
    meta: { width: 144, wideOnly: true, roomyOnly: true, wrap: true },
    cell: ({ row }) => byWords(row.original) || '–',
  }),
  column.accessor('ackTime', {
    id: 'after',
    header: 'After',
    ...fixed,
    meta: { width: 96, align: 'end', wideOnly: true },
    cell: ({ row: { original } }) =>
      original.ackTime === null ? '' : formatBetween(original.notifyTime, original.ackTime),
  }),
]);

/** Columns for SMS, without the method column. */
export const columnsOfSms = columnsOfMessages.filter(({ id }) => id !== 'way');

/** Returns the content of the columns that do not fit on a phone, as one line of text. */
function stateText(row: AcknowledgementRow): string {
  const to = `${methodTitle(row.methodType)} to ${toWords(row)}`;
  if (row.ackTime === null) return to;
  return `${to}, acknowledged by ${byWords(row) || 'an unknown user'} after ${formatBetween(row.notifyTime, row.ackTime)}`;
}

/** Returns the person who acknowledged the alarm, and how: `Anna Berg (SMS link)`. */
function byWords({ ackTime, ackByRecipientName, alarm }: AcknowledgementRow): string {
  if (ackTime === null || ackByRecipientName === null) return '';
  const through = acknowledgedVia(acknowledgementOf(alarm?.acknowledgeJson)?.channel);
  return through ? `${ackByRecipientName} (${through})` : ackByRecipientName;
}

/**
 * Returns the recipient. If the message is not included in the figures, adds the reason: `Anna Berg, kept in the
 * outbox`, `Anna Berg, health`.
 */
function toWords({ recipientName, messageType, shownState }: AcknowledgementRow): string {
  if (countsForAcknowledgement(messageType, shownState)) return recipientName;
  const kind = messageType === 1 ? '' : messageKinds[messageType]?.toLowerCase();
  return [recipientName, kind, isSentOrDelivered(shownState) ? '' : shownStateName(shownState).toLowerCase()]
    .filter(Boolean)
    .join(', ');
}
