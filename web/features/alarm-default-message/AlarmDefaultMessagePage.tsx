import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { TbMessage2 } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { At } from '../../kit/format/At.tsx';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import classes from './AlarmDefaultMessagePage.module.css';
import {
  type AlarmDefaultMessageRow,
  alarmDefaultMessageDefaults,
  alarmDefaultMessageListQuery,
} from './alarm-default-message.queries.ts';
import { piecesOf } from './placeholders.ts';

const wordsOfUse = (isUsed: boolean) => (isUsed ? 'In use' : 'Not used');

const column = columnsOf<AlarmDefaultMessageRow>();
const columns = column.columns([
  column.accessor('message', {
    header: 'Message',
    enableHiding: false,
    meta: { wrap: true },
    cell: ({ getValue }) => <Message text={getValue()} />,
  }),
  column.accessor('isUsed', {
    header: 'Use',
    enableSorting: false,
    meta: { width: 112, narrow: 80, wrap: true },
    cell: ({ getValue }) => wordsOfUse(getValue()),
  }),
  column.accessor('updatedAt', {
    header: 'Changed',
    enableSorting: false,
    meta: { width: 152, narrow: 112, align: 'end', quiet: true, wrap: true },
    cell: ({ getValue }) => <At at={getValue()} />,
  }),
]);

function Message({ text }: { text: string }) {
  return piecesOf(text).map((piece, index) =>
    piece.placeholder ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same text can occur twice in a message, and the order never changes.
      <code key={index} className={classes.placeholder}>
        {piece.text.slice(1, -1)}
      </code>
    ) : (
      piece.text
    ),
  );
}

const AlarmDefaultMessageForm = lazy(() => import('./AlarmDefaultMessageForm.tsx'));

const exported = [
  { header: 'Message', value: (row: AlarmDefaultMessageRow) => row.message },
  { header: 'Use', value: (row: AlarmDefaultMessageRow) => wordsOfUse(row.isUsed) },
  { header: 'Changed', value: (row: AlarmDefaultMessageRow) => row.updatedAt },
];

export function AlarmDefaultMessagePage() {
  useHeaderTitle('Alarm Default Message');
  const actor = useActor();
  const client = useQueryClient();
  const [view, setView] = useListView(alarmDefaultMessageDefaults);
  const list = useList(alarmDefaultMessageListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const create = can(actor, 'alarm_default_message.create') ? (
    <NewButton onClick={() => openRecord(NEW)}>New message</NewButton>
  ) : null;
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton
              name="alarm-default-messages"
              view={view}
              fetch={(page) => client.fetchQuery(alarmDefaultMessageListQuery(page))}
              columns={exported}
            />
            {create}
          </>
        }
      >
        Alarm default messages
      </PageTitle>
      <DataTable
        {...list}
        label="Alarm default messages"
        columns={columns}
        rowId={(message) => message.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Text of the message"
        onOpen={(message) => openRecord(message.uuid)}
        openId={open}
        empty={
          <EmptyState icon={TbMessage2} title="No default message yet" action={create}>
            Alarms whose rule has no message use the default message.
          </EmptyState>
        }
      />
      {open === undefined ? null : (
        <Suspense fallback={null}>
          <AlarmDefaultMessageForm key={open} uuid={open === NEW ? null : open} onClose={close} />
        </Suspense>
      )}
    </Page>
  );
}
