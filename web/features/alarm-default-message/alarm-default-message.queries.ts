import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { everyWord, orderOf, pageOf, type RowOf, windowOf } from '../list/list.ts';

const messageList = graphql(`
  query AlarmDefaultMessageList(
    $first: Int!
    $offset: Int!
    $filter: AlarmDefaultMessageFilter!
    $orderBy: [AlarmDefaultMessageOrderBy!]!
  ) {
    alarmDefaultMessages(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        message
        updatedAt
      }
    }
  }
`);

export type AlarmDefaultMessageRow = RowOf<typeof messageList, 'alarmDefaultMessages'>;

export const alarmDefaultMessageDefaults: ListDefaults = { sort: { column: 'message', descending: false } };

export function alarmDefaultMessageListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['alarm-default-message', 'list', view],
    queryFn: async ({ signal }) => {
      const variables = {
        ...windowOf(view),
        filter: { and: everyWord(view.search, (word) => [{ message: word }]) },
        orderBy: orderOf(view.sort, { message: 'MESSAGE' } as const, 'MESSAGE_ASC'),
      };
      return pageOf((await ask(messageList, variables, signal)).alarmDefaultMessages);
    },
  });
}
