import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';

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

/** Loads the site for a new asset. The URL contains the site's uuid. */
export function siteOfAssetQuery(uuid: string) {
  return queryOptions({
    queryKey: ['asset', 'site', uuid],
    queryFn: async ({ signal }) => (await ask(siteOfAsset, { uuid }, signal)).site,
  });
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

/** Creates an asset and returns its uuid. */
export async function addAsset(asset: AssetFields): Promise<string> {
  return (await ask(createAsset, { asset })).createAsset?.asset?.uuid ?? '';
}

/** Updates an asset. Without `mark`, the server does not check for conflicting changes; bulk actions use this. */
export function changeAsset(uuid: string, patch: Partial<AssetFields>, mark?: string) {
  return ask(updateAsset, { uuid, patch: { ...patch, ...(mark === undefined ? {} : { updatedAt: mark }) } });
}

export function removeAsset(uuid: string) {
  return ask(deleteAsset, { uuid });
}
