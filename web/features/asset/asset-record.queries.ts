import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const assetRecord = graphql(`
  query AssetRecord($uuid: UUID!) {
    asset(uuid: $uuid) {
      uuid
      name
      description
      status
      updatedAt
      site {
        uuid
        name
        siteId
      }
      sensor {
        uuid
        uid
      }
    }
  }
`);

export type AssetRecord = NonNullable<ResultOf<typeof assetRecord>['asset']>;

export async function fetchAsset(uuid: string, signal?: AbortSignal): Promise<AssetRecord | null> {
  return (await ask(assetRecord, { uuid }, signal)).asset;
}

export function assetQuery(uuid: string) {
  return queryOptions({
    queryKey: ['asset', 'record', uuid],
    queryFn: ({ signal }) => fetchAsset(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const siteOfAsset = graphql(`
  query SiteOfNewAsset($uuid: UUID!) {
    site(uuid: $uuid) {
      uuid
      name
      siteId
    }
  }
`);

/** The site at which a new asset is made, when the address names one. */
export function siteOfAssetQuery(uuid: string) {
  return queryOptions({
    queryKey: ['asset', 'site', uuid],
    queryFn: async ({ signal }) => (await ask(siteOfAsset, { uuid }, signal)).site,
  });
}

const assetsOfSensor = graphql(`
  query AssetsOfSensor($sensor: UUID!) {
    assets(first: 2, filter: { tocsinSensorUuid: { equalTo: $sensor } }) {
      nodes {
        uuid
      }
    }
  }
`);

/** The asset that names this sensor, where exactly one does. */
export async function onlyAssetOf(sensor: string): Promise<string | undefined> {
  const [one, ...others] = rowsOf((await ask(assetsOfSensor, { sensor })).assets);
  return others.length === 0 ? one?.uuid : undefined;
}

const createAsset = graphql(`
  mutation CreateAsset($asset: AssetInput!) {
    createAsset(input: { asset: $asset }) {
      asset {
        uuid
      }
    }
  }
`);
const updateAsset = graphql(`
  mutation UpdateAsset($uuid: UUID!, $patch: AssetPatch!) {
    updateAsset(input: { uuid: $uuid, patch: $patch }) {
      asset {
        uuid
      }
    }
  }
`);
const deleteAsset = graphql(`
  mutation DeleteAsset($uuid: UUID!) {
    deleteAsset(input: { uuid: $uuid }) {
      asset {
        uuid
      }
    }
  }
`);

export type AssetFields = VariablesOf<typeof createAsset>['asset'];

/** Returns the key of the new asset. */
export async function addAsset(asset: AssetFields): Promise<string> {
  return (await ask(createAsset, { asset })).createAsset?.asset?.uuid ?? '';
}

/** Without a mark it is changed whatever others did: for one field of many assets at once. */
export function changeAsset(uuid: string, patch: Partial<AssetFields>, mark?: string) {
  return ask(updateAsset, { uuid, patch: { ...patch, ...(mark === undefined ? {} : { updatedAt: mark }) } });
}

/** Names the sensor that watches an asset, unless the asset names one already. */
export async function giveSensor(asset: string, sensor: string): Promise<void> {
  const stored = await fetchAsset(asset);
  if (stored && stored.sensor === null) await changeAsset(asset, { tocsinSensorUuid: sensor }, stored.updatedAt);
}

export function removeAsset(uuid: string) {
  return ask(deleteAsset, { uuid });
}
