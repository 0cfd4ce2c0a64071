import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { everyWord, orderOf, pageOf, type RowOf, rowsOf, wholeNumber, windowOf } from '../../kit/list/list.ts';
import type { OptionSource } from '../../kit/record/Picker.tsx';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

const datapointList = graphql(`
  query DatapointList(
    $first: Int!
    $offset: Int!
    $filter: AssetDatapointFilter!
    $orderBy: [AssetDatapointOrderBy!]!
  ) {
    assetDatapoints(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        tocsinDatapointName
        uom
        sensorType
        status
        latestValue
        lastUpdated
        tocsinAssetDatapointOrder
        asset {
          name
          site {
            name
          }
        }
        sensor {
          uid
        }
        sensorChannel {
          channelNumber
          channelLowText
          channelHighText
        }
        alarms(first: 10, filter: { resolvedDate: { isNull: true } }) {
          nodes {
            severity
            reason
            quietBecause
          }
        }
      }
    }
  }
`);

export type DatapointRow = RowOf<typeof datapointList, 'assetDatapoints'>;

export const datapointListDefaults: ListDefaults = {
  sort: { column: 'tocsinDatapointName', descending: false },
  filters: ['status'],
};

const order = {
  tocsinDatapointName: 'TOCSIN_DATAPOINT_NAME',
  status: 'STATUS',
  tocsinAssetDatapointOrder: 'TOCSIN_ASSET_DATAPOINT_ORDER',
} as const;

export async function fetchDatapoints(view: ListView, signal?: AbortSignal) {
  const status = wholeNumber(view.filters.status);
  const conditions = [
    ...everyWord(view.search, (word) => [
      { tocsinDatapointName: word },
      { asset: { name: word } },
      { asset: { site: { name: word } } },
      { sensor: { uid: word } },
    ]),
    ...(status === undefined ? [] : [{ status: { equalTo: status } }]),
  ];
  const variables = {
    ...windowOf(view),
    filter: { and: conditions },
    orderBy: orderOf(view.sort, order, 'TOCSIN_DATAPOINT_NAME_ASC'),
  };
  return pageOf((await ask(datapointList, variables, signal)).assetDatapoints);
}

export function datapointListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['datapoint', 'list', view],
    queryFn: ({ signal }) => fetchDatapoints(view, signal),
    // Refetch regularly, because readings change the values and states.
    refetchInterval: 30_000,
  });
}

const oneDatapoint = graphql(`
  query OneDatapoint($uuid: UUID!) {
    assetDatapoint(uuid: $uuid) {
      uuid
      tocsinDatapointName
      uom
      sensorType
      status
      tocsinAssetDatapointOrder
      tocsinAssetUuid
      tocsinSensorUuid
      tocsinSensorChannelUuid
      datapointColor
      datapointTitleText
      description
      updatedAt
      asset {
        name
        site {
          name
        }
      }
      sensor {
        uid
      }
    }
  }
`);

export async function fetchDatapoint(uuid: string, signal?: AbortSignal) {
  return (await ask(oneDatapoint, { uuid }, signal)).assetDatapoint;
}

export type Datapoint = NonNullable<Awaited<ReturnType<typeof fetchDatapoint>>>;

export function datapointQuery(uuid: string) {
  return queryOptions({
    queryKey: ['datapoint', 'one', uuid],
    queryFn: ({ signal }) => fetchDatapoint(uuid, signal),
    // Do not cache the data point, because the form must start with the stored values.
    staleTime: 0,
    gcTime: 0,
  });
}

const assetOptions = graphql(`
  query DatapointAssets($filter: AssetFilter!) {
    assets(first: 20, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        site {
          name
        }
      }
    }
  }
`);

/** Returns the asset's name together with its site, because assets at different sites can have the same name. */
export function assetName(asset: { name: string; site: { name: string } | null } | null): string {
  return [asset?.name, asset?.site?.name].filter(Boolean).join(', ');
}

export const assetSource: OptionSource = {
  key: ['asset', 'for-datapoint'],
  find: async (text, signal) => {
    const filter = { and: everyWord(text, (word) => [{ name: word }, { site: { name: word } }]) };
    const assets = rowsOf((await ask(assetOptions, { filter }, signal)).assets);
    return assets.map((asset) => ({ value: asset.uuid, label: assetName(asset) }));
  },
};

const create = graphql(`
  mutation CreateDatapoint($assetDatapoint: AssetDatapointInput!) {
    createAssetDatapoint(input: { assetDatapoint: $assetDatapoint }) {
      assetDatapoint {
        uuid
      }
    }
  }
`);

/** Creates a data point and returns its uuid. */
export async function createDatapoint(assetDatapoint: VariablesOf<typeof create>['assetDatapoint']): Promise<string> {
  return (await ask(create, { assetDatapoint })).createAssetDatapoint?.assetDatapoint?.uuid ?? '';
}

const update = graphql(`
  mutation UpdateDatapoint($uuid: UUID!, $patch: AssetDatapointPatch!) {
    updateAssetDatapoint(input: { uuid: $uuid, patch: $patch }) {
      assetDatapoint {
        uuid
      }
    }
  }
`);

export function updateDatapoint(uuid: string, patch: VariablesOf<typeof update>['patch']) {
  return ask(update, { uuid, patch });
}

const updateStatus = graphql(`
  mutation UpdateDatapointStatus($input: UpdateAssetDatapointStatusInput!) {
    updateAssetDatapointStatus(input: $input) {
      assetDatapoint {
        uuid
      }
    }
  }
`);

/** Updates only the state, colour and title text, so that the update cannot conflict with changes of other fields. */
export function updateDatapointStatus(input: VariablesOf<typeof updateStatus>['input']) {
  return ask(updateStatus, { input });
}

const updateOrder = graphql(`
  mutation UpdateDatapointOrder($uuid: UUID!, $order: Int!) {
    updateAssetDatapointOrder(input: { uuid: $uuid, tocsinAssetDatapointOrder: $order }) {
      assetDatapoint {
        uuid
      }
    }
  }
`);

export function updateDatapointOrder(uuid: string, place: number) {
  return ask(updateOrder, { uuid, order: place });
}

const remove = graphql(`
  mutation DeleteDatapoint($uuid: UUID!) {
    deleteAssetDatapoint(input: { uuid: $uuid }) {
      assetDatapoint {
        uuid
      }
    }
  }
`);

export function deleteDatapoint(uuid: string) {
  return ask(remove, { uuid });
}

const ofAsset = graphql(`
  query DatapointsOfAsset($asset: UUID!) {
    assetDatapoints(
      filter: { tocsinAssetUuid: { equalTo: $asset } }
      orderBy: [TOCSIN_ASSET_DATAPOINT_ORDER_ASC, TOCSIN_DATAPOINT_NAME_ASC]
    ) {
      nodes {
        uuid
        tocsinDatapointName
        tocsinAssetDatapointOrder
        tocsinSensorChannelUuid
      }
    }
  }
`);

export type Sibling = RowOf<typeof ofAsset, 'assetDatapoints'>;

/** Loads an asset's data points in display order. */
export function siblingsQuery(asset: string) {
  return queryOptions({
    queryKey: ['datapoint', 'of-asset', asset],
    queryFn: async ({ signal }) => rowsOf((await ask(ofAsset, { asset }, signal)).assetDatapoints),
    staleTime: 0,
  });
}
