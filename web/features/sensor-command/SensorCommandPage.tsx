import { IconCheck, IconClock, IconCpu } from '@tabler/icons-react';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { Age } from '../../ui/time/Age.tsx';
import { Moment, Named, None, Verbatim } from '../list/cells.tsx';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import classes from './SensorCommandPage.module.css';
import { type ReplyMessageRow, replyMessageDefaults, replyMessageListQuery } from './sensor-command.queries.ts';

const column = columnsOf<ReplyMessageRow>();
const columns = column.columns([
  column.accessor('uid', {
    header: 'UID',
    enableHiding: false,
    meta: { width: 160, narrow: 132, strong: true },
    cell: ({ row: { original: message } }) => <Named name={message.uid} below={message.replyCommand} />,
  }),
  column.accessor('replyCommand', {
    header: 'Command',
    enableSorting: false,
    meta: { wrap: true, wideOnly: true },
    cell: ({ getValue }) => <Verbatim>{getValue()}</Verbatim>,
  }),
  column.accessor('queuedOn', {
    header: 'Queued',
    meta: { width: 176, quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('deliveredOn', {
    header: 'Delivered',
    enableSorting: false,
    meta: { width: 148, narrow: 112, wrap: true },
    cell: ({ getValue }) => <Delivery at={getValue()} />,
  }),
  column.accessor('reply', {
    header: 'Reply',
    enableSorting: false,
    meta: { wrap: true },
    cell: ({ row: { original: message } }) =>
      message.reply === null ? <None /> : <Verbatim>{message.reply}</Verbatim>,
  }),
]);

/** Delivered means that the device confirmed it; until then the command waits for the device to call in. */
function Delivery({ at }: { at: string | null }) {
  const Icon = at === null ? IconClock : IconCheck;
  return (
    <span className={classes.delivery} data-waiting={at === null || undefined}>
      <Icon size={14} stroke={1.75} aria-hidden />
      {at === null ? (
        'Waiting'
      ) : (
        <span>
          <Age at={at} /> ago
        </span>
      )}
    </span>
  );
}

export function SensorCommandPage() {
  useHeaderTitle('Sensor-Command');
  const [view, setView] = useListView(replyMessageDefaults);
  const list = useList(replyMessageListQuery(view));
  return (
    <Page fill>
      <PageTitle count={list.total}>Sensor commands</PageTitle>
      <DataTable
        {...list}
        label="Sensor commands"
        columns={columns}
        rowId={(message) => message.id}
        view={view}
        onViewChange={setView}
        searchHint="UID"
        empty={
          <EmptyState icon={IconCpu} title="No command was ever queued">
            A command waits until its device calls in, and shows here whether it was delivered and what came back.
          </EmptyState>
        }
      />
    </Page>
  );
}
