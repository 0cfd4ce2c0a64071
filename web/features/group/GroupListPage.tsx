import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { TbStack2 } from 'react-icons/tb';
import type { CsvValue } from '../../../domain/csv.ts';
import { can } from '../../../domain/permission.ts';
import { counted } from '../../kit/format/number.ts';
import { None } from '../../kit/list/cells.tsx';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { wholeNumber } from '../../kit/list/list.ts';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useSelection } from '../../kit/list/useSelection.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { levelChoices, levelText, officeWords, UNIT_OFFICE } from '../../kit/session/group-words.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import classes from './GroupListPage.module.css';
import { type GroupRow, groupListDefaults, groupListQuery } from './group.queries.ts';

const GroupForm = lazy(() => import('./GroupForm.tsx').then((part) => ({ default: part.GroupForm })));
const GroupBulk = lazy(() => import('./GroupBulk.tsx').then((part) => ({ default: part.GroupBulk })));

const column = columnsOf<GroupRow>();
const columns = column.columns([
  column.accessor('name', { header: 'Name', enableSorting: false, enableHiding: false, meta: { strong: true } }),
  column.accessor('level', {
    header: 'Level',
    enableSorting: false,
    meta: { width: 120, narrow: 72 },
    cell: ({ getValue }) => levelText(getValue()),
  }),
  column.accessor('status', {
    header: 'Status',
    enableSorting: false,
    meta: { width: 120, wideOnly: true },
    cell: ({ getValue }) => (getValue() ? 'Active' : 'Inactive'),
  }),
  column.accessor('sites', {
    header: 'Sites',
    enableSorting: false,
    meta: { width: 104, narrow: 80, align: 'end' },
    cell: ({ row: { original: group } }) => <Sites group={group} />,
  }),
]);

/** Shows the number of sites. For a unit office, the number links to the list of its sites. */
function Sites({ group }: { group: GroupRow }) {
  if (group.sites === null) {
    return <None />;
  }
  if (group.level !== UNIT_OFFICE || group.sites === 0) {
    return counted(group.sites, 'site');
  }
  return (
    <Link
      className={classes.sites}
      to="/admin/sites"
      search={{ office: group.uuid }}
      onClick={(event) => event.stopPropagation()}
    >
      {counted(group.sites, 'site')}
    </Link>
  );
}

const exported: readonly { header: string; value: (group: GroupRow) => CsvValue }[] = [
  { header: 'Name', value: (group) => group.name },
  { header: 'Level', value: (group) => group.level },
  { header: 'Active', value: (group) => group.status },
  { header: 'Sites', value: (group) => group.sites },
];

export function GroupListPage() {
  useHeaderTitle('Groups');
  const client = useQueryClient();
  const actor = useActor();
  const [view, setView] = useListView(groupListDefaults);
  const list = useList(groupListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (group) => group.uuid);
  const keeps = can(actor, 'group.update');
  const add = can(actor, 'group.create') ? <NewButton onClick={() => openRecord(NEW)}>New group</NewButton> : null;
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton
              name="groups"
              view={view}
              fetch={(page) => client.fetchQuery(groupListQuery(page))}
              columns={exported}
            />
            {add}
          </>
        }
      >
        Groups
      </PageTitle>
      <DataTable
        {...list}
        label="Groups"
        columns={columns}
        rowId={(group) => group.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name"
        filters={
          <FilterSelect label="Level" name="level" options={levelChoices()} view={view} onViewChange={setView} />
        }
        empty={
          <EmptyState icon={TbStack2} title="No groups yet" action={add}>
            Groups on levels 2 to 5 organize the sites. Reports show totals for each {officeWords().one} (level 5).
          </EmptyState>
        }
        {...(keeps
          ? {
              ...selection,
              onOpen: (group: GroupRow) => openRecord(group.uuid),
              openId: open,
              bulkBar: (
                <Suspense>
                  <GroupBulk groups={chosen} onSelect={choose} />
                </Suspense>
              ),
            }
          : {})}
      />
      {open && keeps ? (
        <Suspense>
          <GroupForm id={open} level={wholeNumber(view.filters.level) ?? UNIT_OFFICE} onClose={close} />
        </Suspense>
      ) : null}
    </Page>
  );
}
