import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { withSort } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { Moment, Named, Text } from '../list/cells.tsx';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { AuditChanges } from './AuditChanges.tsx';
import { type AuditRow, auditListDefaults, auditListQuery } from './audit.queries.ts';
import { actionWords, nounWords, subjectOf } from './audit-words.ts';

const column = columnsOf<AuditRow>();
const columns = column.columns([
  column.accessor('createdAt', {
    header: 'When',
    enableHiding: false,
    meta: { width: 176, narrow: 112, quiet: true, wrap: true },
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  column.accessor('userDisplayName', {
    header: 'Who',
    enableSorting: false,
    meta: { width: 180, wideOnly: true },
  }),
  column.accessor('action', {
    header: 'What',
    enableSorting: false,
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original: audit } }) => (
      <Named
        name={actionWords(audit.action)}
        below={[subjectOf(audit.before, audit.after), audit.userDisplayName].filter(Boolean).join(', ')}
      />
    ),
  }),
  column.accessor((audit) => subjectOf(audit.before, audit.after), {
    id: 'subject',
    header: 'Which',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
]);

const nouns = Object.entries(nounWords)
  .map(([value, label]) => ({ value, label }))
  .sort((one, other) => one.label.localeCompare(other.label));

export function AuditListPage() {
  useHeaderTitle('Audit Trail');
  const [view, setView] = useListView(auditListDefaults);
  const [open, setOpen] = useState<string>();
  const list = useList(auditListQuery(view));
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <Segmented
            label="Order"
            options={[
              { value: 'oldest', label: 'Oldest first' },
              { value: 'newest', label: 'Newest first' },
            ]}
            value={view.sort?.descending ? 'newest' : 'oldest'}
            onChange={(order) => setView(withSort(view, { column: 'createdAt', descending: order === 'newest' }))}
          />
        }
      >
        Audit trail
      </PageTitle>
      <DataTable
        {...list}
        label="Audit trail"
        columns={columns}
        rowId={(audit) => audit.id}
        view={view}
        onViewChange={setView}
        filters={<FilterSelect label="What" name="noun" options={nouns} view={view} onViewChange={setView} />}
        onOpen={(audit) => setOpen(open === audit.id ? undefined : audit.id)}
        openId={open}
        detail={(audit) => <AuditChanges before={audit.before} after={audit.after} />}
        empty={
          <EmptyState icon={IconHistory} title="Nothing was changed yet">
            Every change of the plant’s configuration is kept here for good: who, what, before and after.
          </EmptyState>
        }
      />
    </Page>
  );
}
