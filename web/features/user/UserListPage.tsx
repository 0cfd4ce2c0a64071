import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { userColumns } from './user.columns.tsx';
import { userListDefaults, userListQuery } from './user.queries.ts';

const roles = [
  { value: 'managers', label: 'Managers' },
  { value: 'operators', label: 'Operators' },
];

export function UserListPage() {
  useHeaderTitle('Users');
  const [view, setView] = useListView(userListDefaults);
  const list = useList(userListQuery(view));
  return (
    <Page fill>
      <PageTitle count={list.total}>Users</PageTitle>
      <DataTable
        {...list}
        label="Users"
        columns={userColumns}
        rowId={(user) => user.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name"
        filters={<FilterSelect label="Role" name="role" options={roles} view={view} onViewChange={setView} />}
        empty={
          <EmptyState title="Nobody below your level yet">
            The list has the people with a higher level number than yours. You yourself are not among them.
          </EmptyState>
        }
      />
    </Page>
  );
}
