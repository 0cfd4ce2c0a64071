import { IconMessageCheck } from '@tabler/icons-react';
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
import { counted } from '../list/number.ts';
import { useList } from '../list/useList.ts';
import { NEW, useRecordAddress } from '../record/useRecordAddress.ts';
import { type ReasonRow, reasonListDefaults, reasonListQuery } from './reason.queries.ts';

const ReasonForm = lazy(() => import('./ReasonForm.tsx'));

const column = columnsOf<ReasonRow>();
const columns = column.columns([
  column.accessor('reason', {
    header: 'Reason',
    enableSorting: false,
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.reason} below={whose(original)} />,
  }),
  column.accessor((row) => row.ruleAlert?.tocsinRuleName, {
    id: 'rule',
    header: 'Rule',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((row) => row.ruleAlert?.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor(linkWords, {
    id: 'links',
    header: 'Only for',
    enableSorting: false,
    meta: { width: 200, wideOnly: true },
  }),
]);

function whose(row: ReasonRow): string {
  return [row.ruleAlert?.tocsinRuleName, row.ruleAlert?.site?.name].filter(Boolean).join(', ');
}

function linkWords(row: ReasonRow): string {
  const parts = [
    ...(row.siteReasons.totalCount > 0 ? [counted(row.siteReasons.totalCount, 'site')] : []),
    ...(row.userReasons.totalCount > 0 ? [counted(row.userReasons.totalCount, 'person', 'people')] : []),
  ];
  return parts.join(', ') || 'Everybody';
}

const exported = [
  { header: 'Reason', value: (row: ReasonRow) => row.reason },
  { header: 'Rule', value: (row: ReasonRow) => row.ruleAlert?.tocsinRuleName ?? '' },
  { header: 'Site', value: (row: ReasonRow) => row.ruleAlert?.site?.name ?? '' },
  { header: 'Only for', value: linkWords },
];

export function ReasonTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  const client = useQueryClient();
  const [view, setView] = useListView(reasonListDefaults);
  const list = useList(reasonListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const create = can(actor, 'reason.create') ? <NewButton onClick={() => openRecord(NEW)}>New reason</NewButton> : null;
  return (
    <>
      <PageTitle
        count={list.total}
        actions={
          <>
            {choice}
            <ExportButton
              name="reasons"
              view={view}
              fetch={(page) => client.fetchQuery(reasonListQuery(page))}
              columns={exported}
            />
            {create}
          </>
        }
      >
        Reasons
      </PageTitle>
      <DataTable
        {...list}
        label="Reasons"
        columns={columns}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Rule or site"
        onOpen={(row) => openRecord(row.uuid)}
        openId={open}
        empty={
          <EmptyState icon={IconMessageCheck} title="No reasons yet" action={create}>
            A reason is what people choose when they acknowledge an alarm of a rule.
          </EmptyState>
        }
      />
      {open === undefined ? null : (
        <Suspense fallback={null}>
          <ReasonForm key={open} uuid={open === NEW ? null : open} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
