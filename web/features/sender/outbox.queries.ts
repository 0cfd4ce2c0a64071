import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const outbox = graphql(`
  query Outbox($first: Int!) {
    customers(first: 1) {
      nodes {
        outboxes(first: $first, orderBy: [CREATED_AT_DESC, PRIMARY_KEY_DESC]) {
          totalCount
          nodes {
            uuid
            methodType
            address
            subject
            body
            createdAt
          }
        }
      }
    }
  }
`);

/** Loads the newest messages in the outbox. They were not sent because no sender is configured. */
export function outboxQuery(first: number) {
  return queryOptions({
    queryKey: ['channel', 'outbox', first],
    queryFn: async ({ signal }) => {
      const [customer] = rowsOf((await ask(outbox, { first }, signal)).customers);
      return { total: customer?.outboxes.totalCount ?? 0, messages: rowsOf(customer?.outboxes) };
    },
    refetchInterval: 10_000,
    placeholderData: (before) => before,
  });
}
