import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, orderOf, pageOf, type RowOf, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

const userList = graphql(`
  query UserList($first: Int!, $offset: Int!, $filter: UserFilter!, $orderBy: [UserOrderBy!]!) {
    users(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        displayName
        username
        email
        phoneNumber
        level
        status
        varified
        tocsinPartnerAccount
        emailNotification
        smsNotification
        whatsappNotification
        appsNotification
        siteUsers(first: 0) {
          totalCount
        }
      }
    }
  }
`);

export type UserRow = RowOf<typeof userList, 'users'>;

export const userListDefaults: ListDefaults = {
  sort: { column: 'displayName', descending: false },
  filters: ['level'],
};

const order = { displayName: 'DISPLAY_NAME', level: 'LEVEL' } as const;

/** Loads the users whose level number is higher than that of the signed-in user. */
export function userListQuery(view: ListView, me: { uuid: string; level: number }) {
  return queryOptions({
    queryKey: ['user', 'list', me.uuid, me.level, view],
    queryFn: async ({ signal }) => {
      const { level } = view.filters;
      const conditions = [
        { level: { greaterThan: me.level }, uuid: { notEqualTo: me.uuid } },
        ...everyWord(view.search, (word) => [{ displayName: word }]),
        ...(level === 'below-10' ? [{ level: { lessThan: 10 } }] : []),
        ...(level === 'from-10' ? [{ level: { greaterThanOrEqualTo: 10 } }] : []),
      ];
      const variables = {
        ...windowOf(view),
        filter: { and: conditions },
        orderBy: orderOf(view.sort, order, 'DISPLAY_NAME_ASC'),
      };
      return pageOf((await ask(userList, variables, signal)).users);
    },
  });
}
