import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../../api/graphql.ts';
import { everyWord, pageOf, type RowOf, rowsOf, windowOf } from '../../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../../ui/table/list-view.ts';

const actionList = graphql(`
  query ActionList($first: Int!, $offset: Int!, $filter: ActionFilter!) {
    actions(first: $first, offset: $offset, filter: $filter, orderBy: [TOCSIN_SITE_UUID_ASC, PRIMARY_KEY_ASC]) {
      totalCount
      nodes {
        uuid
        action
        acknowledge
        escalate
        tocsinUsers
        replyCommand
        personName
        site {
          name
        }
        asset {
          name
        }
        datapoint {
          tocsinDatapointName
        }
      }
    }
  }
`);

export type ActionRow = RowOf<typeof actionList, 'actions'>;

export const actionListDefaults: ListDefaults = {};

export function actionListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['action', 'list', view],
    queryFn: async ({ signal }) => {
      const conditions = everyWord(view.search, (word) => [
        { asset: { name: word } },
        { site: { name: word } },
        { datapoint: { tocsinDatapointName: word } },
        { notifyToUser: { displayName: word } },
      ]);
      return pageOf((await ask(actionList, { ...windowOf(view), filter: { and: conditions } }, signal)).actions);
    },
  });
}

const actionRecord = graphql(`
  query ActionRecord($uuid: UUID!) {
    action(uuid: $uuid) {
      uuid
      action
      acknowledge
      escalate
      notifyTo
      tocsinUsers
      replyCommand
      tocsinAssetUuid
      tocsinDatapointUuid
      updatedAt
      personName
      asset {
        name
        site {
          name
        }
      }
      datapoint {
        tocsinDatapointName
      }
    }
  }
`);

export type ActionRecord = NonNullable<ResultOf<typeof actionRecord>['action']>;

export async function readAction(uuid: string, signal?: AbortSignal): Promise<ActionRecord | null> {
  return (await ask(actionRecord, { uuid }, signal)).action ?? null;
}

export function actionRecordQuery(uuid: string) {
  return queryOptions({
    queryKey: ['action', 'record', uuid],
    queryFn: ({ signal }) => readAction(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const actionAsset = graphql(`
  query ActionAsset($uuid: UUID!) {
    asset(uuid: $uuid) {
      uuid
      name
      site {
        uuid
        name
      }
    }
    assetDatapoints(
      first: 200
      filter: { tocsinAssetUuid: { equalTo: $uuid } }
      orderBy: [TOCSIN_ASSET_DATAPOINT_ORDER_ASC]
    ) {
      nodes {
        uuid
        tocsinDatapointName
      }
    }
  }
`);

/** Fetches the asset whose alarms trigger the action, with its data points. */
export function actionAssetQuery(uuid: string | null) {
  return queryOptions({
    queryKey: ['asset', 'for-action', uuid],
    queryFn: async ({ signal }) => {
      const found = await ask(actionAsset, { uuid: uuid ?? '' }, signal);
      return found.asset ? { ...found.asset, datapoints: rowsOf(found.assetDatapoints) } : null;
    },
    enabled: uuid !== null,
    staleTime: 30_000,
  });
}

const peopleByKey = graphql(`
  query PeopleByKey($keys: [UUID!]!) {
    personNames(personUuids: $keys) {
      nodes {
        uuid
        name
      }
    }
  }
`);

/** Fetches the names of an action's users. The result omits deleted users. */
export function peopleByKeyQuery(keys: readonly string[]) {
  return queryOptions({
    queryKey: ['user', 'by-key', keys],
    queryFn: async ({ signal }) =>
      new Map(
        rowsOf((await ask(peopleByKey, { keys: [...keys] }, signal)).personNames).map(
          ({ uuid, name }) => [uuid, name] as const,
        ),
      ),
    enabled: keys.length > 0,
    staleTime: 30_000,
  });
}

const createAction = graphql(`
  mutation CreateAction($action: ActionInput!) {
    createAction(input: { action: $action }) {
      clientMutationId
    }
  }
`);

const updateAction = graphql(`
  mutation UpdateAction($uuid: UUID!, $patch: ActionPatch!) {
    updateAction(input: { uuid: $uuid, patch: $patch }) {
      clientMutationId
    }
  }
`);

export type ActionInput = VariablesOf<typeof createAction>['action'];

/** Creates an action, or updates it if `uuid` is set. Actions cannot be deleted. */
export async function saveAction(uuid: string | null, action: ActionInput, mark: string | undefined): Promise<void> {
  if (uuid === null) await ask(createAction, { action });
  else await ask(updateAction, { uuid, patch: { ...action, ...(mark && { updatedAt: mark }) } });
}

export async function forgetActions(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['action'] });
}
