import { IconUsers } from '@tabler/icons-react';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useUser } from '../auth/session.ts';
import { useList } from '../list/useList.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { userColumns } from './user.columns.tsx';
import { userListDefaults, userListQuery } from './user.queries.ts';

const levels = [
  { value: 'below-10', label: '1 to 9' },
  { value: 'from-10', label: '10 and above' },
];

export function UserListPage() {
  useHeaderTitle('Users');
  const [view, setView] = useListView(userListDefaults);
  const list = useList(userListQuery(view, useUser()));
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
        filters={<FilterSelect label="Level" name="level" options={levels} view={view} onViewChange={setView} />}
        empty={
          <EmptyState icon={IconUsers} title="Nobody below your level yet">
            The list has the people with a higher level number than yours. You yourself are not among them.
          </EmptyState>
        }
      />
    </Page>
  );
}
