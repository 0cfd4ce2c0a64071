import { IconStack2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { None } from '../list/cells.tsx';
import { counted } from '../list/number.ts';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import classes from './GroupListPage.module.css';
import { type GroupRow, groupListDefaults, groupListQuery } from './group.queries.ts';

const UNIT_OFFICE = 5;

const levels = [2, 3, 4, 5].map((level) => ({ value: String(level), label: levelWords(level) }));

function levelWords(level: number): string {
  return level === UNIT_OFFICE ? `${level}, unit office` : String(level);
}

const column = columnsOf<GroupRow>();
const columns = column.columns([
  column.accessor('name', { header: 'Name', enableSorting: false, enableHiding: false, meta: { strong: true } }),
  column.accessor('level', {
    header: 'Level',
    enableSorting: false,
    meta: { width: 120 },
    cell: ({ getValue }) => levelWords(getValue()),
  }),
  column.accessor('status', {
    header: 'Status',
    enableSorting: false,
    meta: { width: 120, wideOnly: true },
    cell: ({ getValue }) => (getValue() ? 'In use' : 'Out of use'),
  }),
  column.accessor('sites', {
    header: 'Sites',
    enableSorting: false,
    meta: { width: 104, align: 'end' },
    cell: ({ row: { original: group } }) => <Sites group={group} />,
  }),
]);

/** How many sites, and for a unit office the way to them. */
function Sites({ group }: { group: GroupRow }) {
  if (group.sites === null) {
    return <None />;
  }
  if (group.level !== UNIT_OFFICE || group.sites === 0) {
    return counted(group.sites, 'site');
  }
  return (
    <Link className={classes.sites} to="/admin/sites" search={{ office: group.uuid }}>
      {counted(group.sites, 'site')}
    </Link>
  );
}

export function GroupListPage() {
  useHeaderTitle('Groups');
  const [view, setView] = useListView(groupListDefaults);
  const list = useList(groupListQuery(view));
  return (
    <Page fill>
      <PageTitle count={list.total}>Groups</PageTitle>
      <DataTable
        {...list}
        label="Groups"
        columns={columns}
        rowId={(group) => group.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name"
        filters={<FilterSelect label="Level" name="level" options={levels} view={view} onViewChange={setView} />}
        empty={
          <EmptyState icon={IconStack2} title="No groups yet">
            Groups of the levels 2 to 5 order the sites; a group of level 5 is a unit office of the reports.
          </EmptyState>
        }
      />
    </Page>
  );
}
