import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { everyWord, orderOf, pageOf, type RowOf, wholeNumber, windowOf } from '../list/list.ts';

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

export function datapointListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['datapoint', 'list', view],
    queryFn: async ({ signal }) => {
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
    },
    // Values and states change by themselves.
    refetchInterval: 30_000,
  });
}
