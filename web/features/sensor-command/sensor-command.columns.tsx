import { Tooltip } from '@mantine/core';
import { IconCheck, IconClock, IconClockOff, IconSend } from '@tabler/icons-react';
import type { CsvValue } from '../../../domain/csv.ts';
import { columnsOf } from '../../ui/table/columns.ts';
import { Moment, Named, None, Quantity, Verbatim } from '../list/cells.tsx';
import { type CommandState, stateMeaning, stateOf, stateWords } from './command-life.ts';
import classes from './SensorCommandPage.module.css';
import type { ReplyMessageRow } from './sensor-command.queries.ts';

const icons = { queued: IconClock, sent: IconSend, confirmed: IconCheck, expired: IconClockOff } as const;

function State({ state }: { state: CommandState }) {
  const Icon = icons[state];
  return (
    <Tooltip label={stateMeaning[state]}>
      <span className={classes.state} data-state={state}>
        <Icon size={14} stroke={1.75} aria-hidden />
        {stateWords[state]}
      </span>
    </Tooltip>
  );
}

const column = columnsOf<ReplyMessageRow>();

export const sensorCommandColumns = column.columns([
  column.accessor('uid', {
    header: 'UID',
    enableHiding: false,
    meta: { width: 160, narrow: 132, strong: true },
    cell: ({ row: { original: message } }) => (
      <Named name={message.uid} below={`No. ${message.id}: ${message.replyCommand}`} />
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
  column.accessor((message) => stateOf(message.state), {
    id: 'state',
    header: 'State',
    enableSorting: false,
    meta: { width: 116, narrow: 108 },
    cell: ({ getValue }) => <State state={getValue()} />,
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
  column.accessor('reply', {
    header: 'Reply',
    enableSorting: false,
    meta: { wrap: true },
    cell: ({ row: { original: message } }) => (message.reply ? <Verbatim>{message.reply}</Verbatim> : <None />),
  }),
]);

export const sensorCommandExport: readonly { header: string; value: (message: ReplyMessageRow) => CsvValue }[] = [
  { header: 'UID', value: ({ uid }) => uid },
  { header: 'Number', value: ({ id }) => Number(id) },
  { header: 'Command', value: ({ replyCommand }) => replyCommand },
  { header: 'State', value: ({ state }) => stateWords[stateOf(state)] },
  { header: 'Attempts', value: ({ attempts }) => attempts },
  { header: 'Queued', value: ({ queuedOn }) => queuedOn },
  { header: 'Sent', value: ({ sentOn }) => sentOn },
  { header: 'Confirmed', value: ({ deliveredOn }) => deliveredOn },
  { header: 'Expires', value: ({ expiresOn }) => expiresOn },
  { header: 'Reply', value: ({ reply }) => reply },
];
