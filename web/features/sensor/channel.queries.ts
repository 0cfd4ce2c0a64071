import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { type RowOf, rowsOf } from '../../kit/list/list.ts';

const sensorChannels = graphql(`
  query SensorChannels($sensor: UUID!) {
    sensorChannels(filter: { tocsinSensorUuid: { equalTo: $sensor } }, orderBy: [CHANNEL_NUMBER_ASC]) {
      nodes {
        uuid
        channelNumber
        name
        description
        channelTitleText
        channelNormalColor
        channelAlarmColor
        channelAlarmCondition
        channelMajorAlarmStatus
        channelLowText
        channelHighText
        channelFactor
        channelOffset
        channelDecimals
        updatedAt
      }
    }
  }
`);

export type ChannelRow = RowOf<typeof sensorChannels, 'sensorChannels'>;

export async function fetchChannels(sensor: string, signal?: AbortSignal): Promise<ChannelRow[]> {
  return rowsOf((await ask(sensorChannels, { sensor }, signal)).sensorChannels);
}

/** Fetches the channels of one sensor, by number. */
export function sensorChannelsQuery(sensor: string) {
  return queryOptions({
    queryKey: ['sensor', 'channels', sensor],
    queryFn: ({ signal }) => fetchChannels(sensor, signal),
  });
}

/** Fetches the current version of a channel; null if it was deleted. */
export async function fetchChannel(sensor: string, uuid: string): Promise<ChannelRow | null> {
  return (await fetchChannels(sensor)).find((channel) => channel.uuid === uuid) ?? null;
}

const shownBy = graphql(`
  query DatapointsOfChannel($channel: UUID!) {
    assetDatapoints(filter: { tocsinSensorChannelUuid: { equalTo: $channel } }) {
      nodes {
        uuid
        sensorType
        asset {
          site {
            uuid
          }
        }
      }
    }
  }
`);

/**
 * Fetches the data points of a channel. A digital alarm has no rule, so the uuid of its data point is used as its rule
 * uuid.
 */
export async function datapointsOfChannel(channel: string, signal?: AbortSignal) {
  return rowsOf((await ask(shownBy, { channel }, signal)).assetDatapoints);
}

export function datapointsOfChannelQuery(channel: string | undefined) {
  return queryOptions({
    queryKey: ['datapoint', 'of-channel', channel],
    queryFn: ({ signal }) => datapointsOfChannel(channel ?? '', signal),
    enabled: channel !== undefined,
  });
}

const create = graphql(`
  mutation CreateSensorChannel($sensorChannel: SensorChannelInput!) {
    createSensorChannel(input: { sensorChannel: $sensorChannel }) {
      sensorChannel {
        uuid
      }
    }
  }
`);

/** Creates a channel and returns its uuid. */
export async function createChannel(sensorChannel: VariablesOf<typeof create>['sensorChannel']): Promise<string> {
  return (await ask(create, { sensorChannel })).createSensorChannel?.sensorChannel?.uuid ?? '';
}

const update = graphql(`
  mutation UpdateSensorChannel($uuid: UUID!, $patch: SensorChannelPatch!) {
    updateSensorChannel(input: { uuid: $uuid, patch: $patch }) {
      sensorChannel {
        uuid
      }
    }
  }
`);

export function updateChannel(uuid: string, patch: VariablesOf<typeof update>['patch']) {
  return ask(update, { uuid, patch });
}

const remove = graphql(`
  mutation DeleteSensorChannel($uuid: UUID!) {
    deleteSensorChannel(input: { uuid: $uuid }) {
      sensorChannel {
        uuid
      }
    }
  }
`);

export function deleteChannel(uuid: string) {
  return ask(remove, { uuid });
}
