import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TbHistory } from 'react-icons/tb';
import { Moment, Named, Text } from '../../kit/list/cells.tsx';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { withFilter, withSort } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { AuditChanges } from './AuditChanges.tsx';
import classes from './AuditListPage.module.css';
import { type AuditRow, auditListDefaults, auditListQuery, auditPeopleQuery } from './audit.queries.ts';
import { changesOf } from './audit-diff.ts';
import { actionWords, nounWords } from './audit-words.ts';

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
        below={[audit.subject, audit.userDisplayName].filter(Boolean).join(', ')}
      />
    ),
  }),
  column.accessor('subject', {
    header: 'Record',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
]);

const nouns = Object.entries(nounWords)
  .map(([value, label]) => ({ value, label }))
  .sort((one, other) => one.label.localeCompare(other.label));

const days = [
  ['from', 'From'],
  ['to', 'To'],
] as const;

const sideOf = (row: AuditRow, side: 'before' | 'after') =>
  changesOf(row.before, row.after)
    .map((change) => `${change.label}: ${change[side] ?? ''}`)
    .join('\n');

const exported = [
  { header: 'When', value: (row: AuditRow) => row.createdAt },
  { header: 'Who', value: (row: AuditRow) => row.userDisplayName },
  { header: 'What', value: (row: AuditRow) => actionWords(row.action) },
  { header: 'Record', value: (row: AuditRow) => row.subject },
  { header: 'Before', value: (row: AuditRow) => sideOf(row, 'before') },
  { header: 'After', value: (row: AuditRow) => sideOf(row, 'after') },
];

export function AuditListPage() {
  useHeaderTitle('Audit Trail');
  const [view, setView] = useListView(auditListDefaults);
  const [open, setOpen] = useState<string>();
  const timeZone = useTimeZone();
  const client = useQueryClient();
  const people = useQuery(auditPeopleQuery).data ?? [];
  const list = useList(auditListQuery(view, timeZone));
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <Segmented
              label="Order"
              options={[
                { value: 'oldest', label: 'Oldest first' },
                { value: 'newest', label: 'Newest first' },
              ]}
              value={view.sort?.descending ? 'newest' : 'oldest'}
              onChange={(order) => setView(withSort(view, { column: 'createdAt', descending: order === 'newest' }))}
            />
            <ExportButton
              name="audit-trail"
              view={view}
              fetch={(page) => client.fetchQuery(auditListQuery(page, timeZone))}
              columns={exported}
            />
          </>
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
        filters={
          <>
            <FilterSelect label="Who" name="person" options={people} view={view} onViewChange={setView} />
            <FilterSelect label="What" name="noun" options={nouns} view={view} onViewChange={setView} />
            {days.map(([name, label]) => (
              <label key={name} className={classes.day}>
                <span>{label}</span>
                <input
                  type="date"
                  value={view.filters[name] ?? ''}
                  onChange={(event) => setView(withFilter(view, name, event.currentTarget.value))}
                />
              </label>
            ))}
          </>
        }
        onOpen={(audit) => setOpen(open === audit.id ? undefined : audit.id)}
        openId={open}
        detail={(audit) => <AuditChanges before={audit.before} after={audit.after} />}
        empty={
          <EmptyState icon={TbHistory} title="No entries yet">
            This page lists every configuration change and every sign-in. Entries are never deleted.
          </EmptyState>
        }
      />
    </Page>
  );
}
