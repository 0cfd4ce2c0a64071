import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, orderOf, pageOf, type RowOf, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';

const assetList = graphql(`
  query AssetList($first: Int!, $offset: Int!, $filter: AssetFilter!, $orderBy: [AssetOrderBy!]!) {
    assets(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        name
        description
        status
        site {
          uuid
          name
        }
        sensor {
          uuid
          uid
        }
        assetDatapoints(first: 0) {
          totalCount
        }
      }
    }
  }
`);

export type AssetRow = RowOf<typeof assetList, 'assets'>;

export const assetListDefaults: ListDefaults = { sort: { column: 'name', descending: false } };

export function assetListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['asset', 'list', view],
    queryFn: async ({ signal }) => {
      const variables = {
        ...windowOf(view),
        filter: { and: everyWord(view.search, (word) => [{ name: word }, { site: { name: word } }]) },
        orderBy: orderOf(view.sort, { name: 'NAME' } as const, 'NAME_ASC'),
      };
      return pageOf((await ask(assetList, variables, signal)).assets);
    },
  });
}
