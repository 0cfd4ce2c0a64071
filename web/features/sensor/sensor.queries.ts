import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { everyWord, orderOf, pageOf, type RowOf, rowsOf, wholeNumber, windowOf } from '../list/list.ts';

const sensorList = graphql(`
  query SensorList($first: Int!, $offset: Int!, $filter: SensorFilter!, $orderBy: [SensorOrderBy!]!) {
    sensors(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        uid
        sensorType
        status
        description
        sensorChannels(first: 0) {
          totalCount
        }
        assetDatapoints(first: 20) {
          nodes {
            asset {
              site {
                uuid
                name
              }
            }
          }
        }
      }
    }
  }
`);

export type SensorRow = RowOf<typeof sensorList, 'sensors'>;

export const sensorListDefaults: ListDefaults = {
  sort: { column: 'uid', descending: false },
  filters: ['type', 'status'],
};

const order = { uid: 'UID', sensorType: 'SENSOR_TYPE', status: 'STATUS' } as const;

export function sensorListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['sensor', 'list', view],
    queryFn: async ({ signal }) => {
      const type = wholeNumber(view.filters.type);
      const status = wholeNumber(view.filters.status);
      const conditions = [
        ...everyWord(view.search, (word) => [{ uid: word }]),
        ...(type === undefined ? [] : [{ sensorType: { equalTo: type } }]),
        ...(status === undefined ? [] : [{ status: { equalTo: status } }]),
      ];
      const variables = {
        ...windowOf(view),
        filter: { and: conditions },
        orderBy: orderOf(view.sort, order, 'UID_ASC'),
      };
      return pageOf((await ask(sensorList, variables, signal)).sensors);
    },
  });
}

const sensorChannels = graphql(`
  query SensorChannels($sensor: UUID!) {
    sensorChannels(filter: { tocsinSensorUuid: { equalTo: $sensor } }, orderBy: [CHANNEL_NUMBER_ASC]) {
      nodes {
        uuid
        channelNumber
        name
        channelTitleText
        channelAlarmCondition
        channelMajorAlarmStatus
        channelLowText
        channelHighText
      }
    }
  }
`);

export type ChannelRow = RowOf<typeof sensorChannels, 'sensorChannels'>;

export function sensorChannelsQuery(sensor: string) {
  return queryOptions({
    queryKey: ['sensor', 'channels', sensor],
    queryFn: async ({ signal }) => rowsOf((await ask(sensorChannels, { sensor }, signal)).sensorChannels),
  });
}
