import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { everyWord, orderOf, pageOf, type RowOf, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { commandStates } from './command-life.ts';

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
        sentOn
        attempts
        deliveredOn
        expiresOn
        state
        cancelledOn
        cancelledBy
        reply
      }
    }
  }
`);

export type ReplyMessageRow = RowOf<typeof replyMessages, 'replyMessages'>;

export const replyMessageDefaults: ListDefaults = {
  sort: { column: 'queuedOn', descending: true },
  filters: ['state'],
};

const order = { uid: 'UID', queuedOn: 'QUEUED_ON' } as const;

export async function fetchReplyMessages(view: ListView, signal?: AbortSignal) {
  const state = commandStates.find((known) => known === view.filters.state);
  const conditions = [
    ...everyWord(view.search, (word) => [
      { uid: word },
      ...(/^\d{1,18}$/.test(word.includesInsensitive) ? [{ id: { equalTo: word.includesInsensitive } }] : []),
    ]),
    ...(state ? [{ state: { equalTo: state } }] : []),
  ];
  const variables = {
    ...windowOf(view),
    filter: { and: conditions },
    orderBy: orderOf(view.sort, order, 'QUEUED_ON_DESC'),
  };
  return pageOf((await ask(replyMessages, variables, signal)).replyMessages);
}

export function replyMessageListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['sensor-command', 'list', view],
    queryFn: ({ signal }) => fetchReplyMessages(view, signal),
    // Polls often, because a device may fetch its command at any moment.
    refetchInterval: 5_000,
  });
}

const queue = graphql(`
  mutation QueueReplyMessage($replyMessage: ReplyMessageInput!) {
    createReplyMessage(input: { replyMessage: $replyMessage }) {
      replyMessage {
        id
      }
    }
  }
`);

export function queueCommand(replyMessage: VariablesOf<typeof queue>['replyMessage']) {
  return ask(queue, { replyMessage });
}

const cancelReply = graphql(`
  mutation CancelReplyMessage($id: BigInt!) {
    cancelReplyMessage(input: { id: $id }) {
      replyMessage {
        id
      }
    }
  }
`);

export function cancelCommand(id: string) {
  return ask(cancelReply, { id });
}
