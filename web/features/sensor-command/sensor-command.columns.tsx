import { Tooltip } from '@mantine/core';
import { TbArrowBackUp, TbCheck, TbClock, TbClockOff, TbSend } from 'react-icons/tb';
import type { CsvValue } from '../../../domain/csv.ts';
import { Moment, Named, None, Quantity, Verbatim } from '../../kit/list/cells.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { stateMeaning, stateOf, stateText } from './command-life.ts';
import classes from './SensorCommandPage.module.css';
import type { ReplyMessageRow } from './sensor-command.queries.ts';

const icons = {
  queued: TbClock,
  sent: TbSend,
  confirmed: TbCheck,
  cancelled: TbArrowBackUp,
  expired: TbClockOff,
} as const;

function State({ message }: { message: ReplyMessageRow }) {
  const state = stateOf(message.state);
  const Icon = icons[state];
  return (
    <Tooltip label={stateMeaning[state]}>
      <span className={classes.state} data-state={state}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
        {stateText(message)}
      </span>
    </Tooltip>
  );
}

const column = columnsOf<ReplyMessageRow>();

export const sensorCommandColumns = column.columns([
  column.accessor('uid', {
    header: 'UID',
    enableHiding: false,
    meta: { width: 160, strong: true },
    cell: ({ row: { original: message } }) => (
      <Named
        name={message.uid}
        below={
          <>
            No. {message.id}: {message.replyCommand}
            {message.reply ? (
              <>
                <br />
                Reply: {message.reply}
              </>
            ) : null}
          </>
        }
      />
    ),
  }),
  column.accessor('id', {
    header: 'Number',
    enableSorting: false,
    meta: { width: 84, align: 'end', quiet: true, wideOnly: true },
  }),
  column.accessor('replyCommand', {
    header: 'Command',
    enableSorting: false,
    meta: { wrap: true, wideOnly: true },
    cell: ({ getValue }) => <Verbatim>{getValue()}</Verbatim>,
  }),
  column.accessor('state', {
    header: 'State',
    enableSorting: false,
    meta: { width: 132, narrow: 124, wrap: true },
    cell: ({ row: { original: message } }) => <State message={message} />,
  }),
  // The reply comes before the times, because narrow screens hide the rightmost columns first.
  column.accessor('reply', {
    header: 'Reply',
    enableSorting: false,
    meta: { wrap: true, wideOnly: true },
    cell: ({ row: { original: message } }) => (message.reply ? <Verbatim>{message.reply}</Verbatim> : <None />),
  }),
  column.accessor('attempts', {
    header: 'Attempts',
    enableSorting: false,
    meta: { width: 84, align: 'end', wideOnly: true },
    cell: ({ getValue }) => <Quantity value={getValue()} />,
  }),
  column.accessor('queuedOn', {
    header: 'Queued',
    meta: { width: 176, quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('sentOn', {
    header: 'Sent',
    enableSorting: false,
    meta: { width: 176, quiet: true, wideOnly: true, optional: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('deliveredOn', {
    header: 'Confirmed',
    enableSorting: false,
    meta: { width: 176, quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('expiresOn', {
    header: 'Expires',
    enableSorting: false,
    meta: { width: 176, quiet: true, wideOnly: true, optional: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('cancelledOn', {
    header: 'Cancelled',
    enableSorting: false,
    meta: { width: 176, quiet: true, wideOnly: true, optional: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
]);

export const sensorCommandExport: readonly { header: string; value: (message: ReplyMessageRow) => CsvValue }[] = [
  { header: 'UID', value: ({ uid }) => uid },
  { header: 'Number', value: ({ id }) => Number(id) },
  { header: 'Command', value: ({ replyCommand }) => replyCommand },
  { header: 'State', value: stateText },
  { header: 'Attempts', value: ({ attempts }) => attempts },
  { header: 'Queued', value: ({ queuedOn }) => queuedOn },
  { header: 'Sent', value: ({ sentOn }) => sentOn },
  { header: 'Confirmed', value: ({ deliveredOn }) => deliveredOn },
  { header: 'Expires', value: ({ expiresOn }) => expiresOn },
  { header: 'Cancelled', value: ({ cancelledOn }) => cancelledOn },
  { header: 'Reply', value: ({ reply }) => reply },
];
