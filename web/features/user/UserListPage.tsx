import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { TbUsers } from 'react-icons/tb';
import type { CsvValue } from '../../../domain/csv.ts';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useSelection } from '../../kit/list/useSelection.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useUser } from '../../kit/session/session.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { userColumns } from './user.columns.tsx';
import { type UserRow, userListDefaults, userListQuery } from './user.queries.ts';
import { accountWords, levelWords, methodWords } from './user-words.ts';

const UserForm = lazy(() => import('./UserForm.tsx').then((part) => ({ default: part.UserForm })));
const UserBulk = lazy(() => import('./UserBulk.tsx').then((part) => ({ default: part.UserBulk })));

const levels = [
  { value: 'below-10', label: '1 to 9' },
  { value: 'from-10', label: '10 and above' },
];

const exported: readonly { header: string; value: (user: UserRow) => CsvValue }[] = [
  { header: 'Name', value: (user) => user.displayName },
  { header: 'User name', value: (user) => user.username },
  { header: 'E-mail', value: (user) => user.email },
  { header: 'Phone number', value: (user) => user.phoneNumber },
  { header: 'Level', value: levelWords },
  { header: 'Notify via', value: methodWords },
  { header: 'Account', value: accountWords },
  { header: 'Linked sites', value: (user) => user.siteUsers.totalCount },
];

/** Page with the list of users. Only users who manage others can open it. */
export function UserListPage() {
  useHeaderTitle('Users');
  const client = useQueryClient();
  const me = useUser();
  const [view, setView] = useListView(userListDefaults);
  const list = useList(userListQuery(view, me));
  const { open, openRecord, close } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (user) => user.uuid);
  const add = <NewButton onClick={() => openRecord(NEW)}>New user</NewButton>;
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton
              name="users"
              view={view}
              fetch={(page) => client.fetchQuery(userListQuery(page, me))}
              columns={exported}
            />
            {add}
          </>
        }
      >
        Users
      </PageTitle>
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
          <EmptyState icon={TbUsers} title="No users below your level yet" action={add}>
            This list shows users with a higher level number than yours.
          </EmptyState>
        }
        onOpen={(user) => openRecord(user.uuid)}
        openId={open}
        {...selection}
        bulkBar={
          <Suspense>
            <UserBulk users={chosen} onSelect={choose} />
          </Suspense>
        }
      />
      {open && open !== me.uuid ? (
        <Suspense>
          <UserForm id={open} onClose={close} />
        </Suspense>
      ) : null}
    </Page>
  );
}
