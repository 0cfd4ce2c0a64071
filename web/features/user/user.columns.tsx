import { Named, Quantity, Text } from '../../kit/list/cells.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import type { UserRow } from './user.queries.ts';
import { accountWords, levelWords, methodWords } from './user-words.ts';

const column = columnsOf<UserRow>();

export const userColumns = column.columns([
  column.accessor('displayName', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original: user } }) => (
      <Named name={user.displayName} below={`${levelWords(user)} · ${user.email}`} />
    ),
  }),
  column.accessor('email', {
    header: 'E-mail',
    enableSorting: false,
    meta: { width: 240, quiet: true, wideOnly: true },
  }),
  column.accessor('phoneNumber', {
    header: 'Phone number',
    enableSorting: false,
    meta: { width: 140, quiet: true, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor('username', {
    header: 'User name',
    enableSorting: false,
    meta: { width: 140, quiet: true, wideOnly: true, optional: true },
  }),
  column.accessor('level', {
    header: 'Level',
    meta: { width: 132, wideOnly: true },
    cell: ({ row: { original: user } }) => levelWords(user),
  }),
  column.accessor(methodWords, {
    id: 'channels',
    header: 'Notify via',
    enableSorting: false,
    meta: { width: 180, wideOnly: true },
    cell: ({ getValue }) => getValue() || 'None',
  }),
  column.accessor(accountWords, {
    id: 'account',
    header: 'Account',
    enableSorting: false,
    meta: { width: 84 },
  }),
  column.accessor((user) => user.siteUsers.totalCount, {
    id: 'sites',
    header: 'Linked sites',
    enableSorting: false,
    meta: { width: 100, align: 'end', wideOnly: true },
    cell: ({ getValue }) => <Quantity value={getValue()} />,
  }),
]);
