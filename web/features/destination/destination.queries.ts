import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { everyWord, orderOf, pageOf, type RowOf, rowsOf, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

const destinationList = graphql(`
  query DestinationList($first: Int!, $offset: Int!, $filter: DestinationFilter!, $orderBy: [DestinationOrderBy!]!) {
    destinations(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        name
        kind
        host
        status
        site {
          name
        }
        group {
          name
        }
        destinationDeliveries(first: 1, orderBy: [SEQUENCE_NUMBER_DESC]) {
          nodes {
            state
            createdAt
          }
        }
      }
    }
  }
`);

export type DestinationRow = RowOf<typeof destinationList, 'destinations'>;

export const destinationListDefaults: ListDefaults = { sort: { column: 'name', descending: false } };

export function destinationListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['destination', 'list', view],
    queryFn: async ({ signal }) => {
      const variables = {
        ...windowOf(view),
        filter: { and: everyWord(view.search, (word) => [{ name: word }]) },
        orderBy: orderOf(view.sort, { name: 'NAME' } as const, 'NAME_ASC'),
      };
      return pageOf((await ask(destinationList, variables, signal)).destinations);
    },
  });
}

const destinationRecord = graphql(`
  query DestinationRecord($uuid: UUID!) {
    destination(uuid: $uuid) {
      uuid
      name
      kind
      host
      status
      updatedAt
      site {
        uuid
        name
      }
      group {
        uuid
        name
      }
    }
  }
`);

export type DestinationRecord = NonNullable<ResultOf<typeof destinationRecord>['destination']>;

export async function fetchDestination(uuid: string, signal?: AbortSignal): Promise<DestinationRecord | null> {
  return (await ask(destinationRecord, { uuid }, signal)).destination;
}

export function destinationQuery(uuid: string) {
  return queryOptions({
    queryKey: ['destination', 'record', uuid],
    queryFn: ({ signal }) => fetchDestination(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const saveDestination = graphql(`
  mutation SaveDestination($input: SaveDestinationInput!) {
    saveDestination(input: $input) {
      saved {
        uuid
        secret
      }
    }
  }
`);

export interface DestinationInput {
  uuid?: string;
  name: string;
  kind: string;
  status: boolean;
  tocsinSiteUuid?: string;
  tocsinGroupUuid?: string;
  url?: string;
  updatedAt?: string;
}

/** Saves a destination. Returns the secret of a new webhook, which the server returns only once; otherwise null. */
export async function sendDestination(input: DestinationInput): Promise<string | null> {
  return (await ask(saveDestination, { input })).saveDestination?.saved?.secret ?? null;
}

const deleteDestination = graphql(`
  mutation DeleteDestination($uuid: UUID!) {
    deleteDestination(input: { uuid: $uuid }) {
      destination {
        uuid
      }
    }
  }
`);

export function removeDestination(uuid: string) {
  return ask(deleteDestination, { uuid });
}

const renewSecret = graphql(`
  mutation RenewDestinationSecret($uuid: UUID!) {
    renewDestinationSecret(input: { uuid: $uuid }) {
      secret
    }
  }
`);

/** Replaces the secret of a webhook. Returns the new one, which the server returns only once. */
export async function sendRenewal(uuid: string): Promise<string> {
  return (await ask(renewSecret, { uuid })).renewDestinationSecret?.secret ?? '';
}

const testDestination = graphql(`
  mutation TestDestination($uuid: UUID!) {
    testDestination(input: { uuid: $uuid }) {
      deliveryUuid
    }
  }
`);

/** Queues a test message. Returns the uuid of its delivery. */
export async function sendTest(uuid: string): Promise<string> {
  return (await ask(testDestination, { uuid })).testDestination?.deliveryUuid ?? '';
}

const resendDelivery = graphql(`
  mutation ResendDelivery($uuid: UUID!) {
    resendDelivery(input: { uuid: $uuid }) {
      deliveryUuid
    }
  }
`);

export async function sendAgain(uuid: string): Promise<void> {
  await ask(resendDelivery, { uuid });
}

const deliveries = graphql(`
  query DestinationDeliveries($uuid: UUID!, $first: Int!) {
    destinationDeliveries(
      first: $first
      filter: { tocsinDestinationUuid: { equalTo: $uuid } }
      orderBy: [SEQUENCE_NUMBER_DESC]
    ) {
      totalCount
      nodes {
        uuid
        event
        title
        state
        attempts
        nextAttemptAt
        responseCode
        answer
        createdAt
        sentAt
      }
    }
  }
`);

export type Delivery = RowOf<typeof deliveries, 'destinationDeliveries'>;

/** Fetches the newest deliveries. Fetches more often while one of them is queued. */
export function deliveriesQuery(uuid: string, first: number) {
  return queryOptions({
    queryKey: ['destination', 'deliveries', uuid, first],
    queryFn: async ({ signal }) => {
      const { destinationDeliveries: found } = await ask(deliveries, { uuid, first }, signal);
      return { rows: rowsOf(found), total: found?.totalCount ?? 0 };
    },
    refetchInterval: ({ state: { data } }) => (data?.rows.some(({ state }) => state === 'queued') ? 1000 : 10_000),
  });
}
