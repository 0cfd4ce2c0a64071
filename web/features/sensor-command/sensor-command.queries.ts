import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { everyWord, orderOf, pageOf, type RowOf, windowOf } from '../list/list.ts';

const replyMessages = graphql(`
  query ReplyMessageList(
    $first: Int!
    $offset: Int!
    $filter: ReplyMessageFilter!
    $orderBy: [ReplyMessageOrderBy!]!
  ) {
    replyMessages(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        id
        uid
        replyCommand
        queuedOn
        deliveredOn
        reply
      }
    }
  }
`);

export type ReplyMessageRow = RowOf<typeof replyMessages, 'replyMessages'>;

export const replyMessageDefaults: ListDefaults = { sort: { column: 'queuedOn', descending: true } };

const order = { uid: 'UID', queuedOn: 'QUEUED_ON' } as const;

export function replyMessageListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['sensor-command', 'list', view],
    queryFn: async ({ signal }) => {
      const variables = {
        ...windowOf(view),
        filter: { and: everyWord(view.search, (word) => [{ uid: word }]) },
        orderBy: orderOf(view.sort, order, 'QUEUED_ON_DESC'),
      };
      return pageOf((await ask(replyMessages, variables, signal)).replyMessages);
    },
    // A device may call in at any moment and take its command.
    refetchInterval: 15_000,
  });
}
