import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { type RowOf, rowsOf } from '../../kit/list/list.ts';
import { performanceTargetFields } from './performance-targets.queries.ts';

const customerRecord = graphql(
  `
  query CustomerRecord {
    customers(first: 1) {
      nodes {
        uuid
        name
        email
        phone
        timeZone
        group2Name
        group3Name
        group4Name
        group5Name
        operatorShelveHours
        managerShelveHours
        smsDayBudget
        smsMonthBudget
        ...PerformanceTargetFields
        updatedAt
      }
    }
  }
`,
  [performanceTargetFields],
);

export type CustomerRecord = RowOf<typeof customerRecord, 'customers'>;

/** Returns the signed-in user's customer; null if there is none. */
export async function readCustomer(signal?: AbortSignal): Promise<CustomerRecord | null> {
  return rowsOf((await ask(customerRecord, {}, signal)).customers)[0] ?? null;
}

export const customerQuery = queryOptions({
  queryKey: ['customer', 'record'],
  queryFn: ({ signal }) => readCustomer(signal),
  staleTime: 0,
  gcTime: 0,
});

const timeZones = graphql(`
  query TimeZones {
    timeZones
  }
`);

/** Time zones that the server supports. */
export const timeZonesQuery = queryOptions({
  queryKey: ['time-zones'],
  queryFn: async ({ signal }) => ((await ask(timeZones, {}, signal)).timeZones ?? []).filter((name) => name !== null),
  staleTime: Number.POSITIVE_INFINITY,
});

const updateCustomer = graphql(`
  mutation UpdateCustomer($uuid: UUID!, $patch: CustomerPatch!) {
    updateCustomer(input: { uuid: $uuid, patch: $patch }) {
      customer {
        updatedAt
      }
    }
  }
`);

/**
 * Updates the customer. Returns the new `updatedAt`, which the next update sends so that the server can detect
 * conflicts.
 */
export async function changeCustomer(uuid: string, patch: VariablesOf<typeof updateCustomer>['patch']) {
  return (await ask(updateCustomer, { uuid, patch })).updateCustomer?.customer?.updatedAt;
}
