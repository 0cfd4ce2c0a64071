import { IconBolt } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { can } from '../../../domain/permission.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useActor } from '../auth/actor.ts';
import { Named, Text } from '../list/cells.tsx';
import { ExportButton } from '../list/ExportButton.tsx';
import { NewButton } from '../list/NewButton.tsx';
import { useList } from '../list/useList.ts';
import { NEW, useRecordAddress } from '../record/useRecordAddress.ts';
import { type ActionRow, actionListDefaults, actionListQuery } from './action.queries.ts';
import { actionWords } from './action-words.ts';

const ActionForm = lazy(() => import('./ActionForm.tsx'));

const whereOf = (row: ActionRow) => [row.asset?.name, row.datapoint?.tocsinDatapointName].filter(Boolean).join(', ');
const yesNo = (value: boolean) => (value ? 'Yes' : 'No');

const column = columnsOf<ActionRow>();
const columns = column.columns([
  column.accessor(actionWords, {
    id: 'what',
    header: 'What it does',
    enableSorting: false,
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original }, getValue }) => (
      <Named name={getValue()} below={[original.site?.name, whereOf(original)].filter(Boolean).join(', ')} />
    ),
  }),
  column.accessor((row) => row.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor(whereOf, {
    id: 'where',
    header: 'Asset, data point',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((row) => yesNo(row.acknowledge), {
    id: 'acknowledge',
    header: 'Acknowledge',
    enableSorting: false,
    meta: { width: 104, wideOnly: true },
  }),
  column.accessor((row) => yesNo(row.escalate), {
    id: 'escalate',
    header: 'Escalate',
    enableSorting: false,
    meta: { width: 92, wideOnly: true },
  }),
]);

const exported = [
  { header: 'What it does', value: actionWords },
  { header: 'Site', value: (row: ActionRow) => row.site?.name ?? '' },
  { header: 'Asset, data point', value: whereOf },
  { header: 'Acknowledge', value: (row: ActionRow) => yesNo(row.acknowledge) },
  { header: 'Escalate', value: (row: ActionRow) => yesNo(row.escalate) },
];

export function ActionTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  const client = useQueryClient();
  const [view, setView] = useListView(actionListDefaults);
  const list = useList(actionListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const create = can(actor, 'action.create') ? <NewButton onClick={() => openRecord(NEW)}>New action</NewButton> : null;
  return (
    <>
      <PageTitle
        count={list.total}
        actions={
          <>
            {choice}
            <ExportButton
              name="actions"
              view={view}
              fetch={(page) => client.fetchQuery(actionListQuery(page))}
              columns={exported}
            />
            {create}
          </>
        }
      >
        Actions
      </PageTitle>
      <DataTable
        {...list}
        label="Actions"
        columns={columns}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Site, asset, data point or person"
        onOpen={(row) => openRecord(row.uuid)}
        openId={open}
        empty={
          <EmptyState icon={IconBolt} title="No actions yet" action={create}>
            An action is what else an alarm of an asset does: tell further people, or queue a sensor command.
          </EmptyState>
        }
      />
      {open === undefined ? null : (
        <Suspense fallback={null}>
          <ActionForm key={open} uuid={open === NEW ? null : open} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
