import { fetchAsset } from '../asset/index.ts';
import { fetchChannels, fetchSensor } from '../sensor/index.ts';
import { assetName } from './datapoint.queries.ts';
import { blankDatapoint, type DatapointValues } from './datapoint-values.ts';

/** Uuids of the asset, sensor and channel in the URL. They prefill the form of a new data point. */
export interface DatapointPlace {
  asset?: string | undefined;
  sensor?: string | undefined;
  channel?: string | undefined;
}

/**
 * Returns the form values that can be derived from a sensor: its type, and the given channel or the sensor's only
 * channel.
 */
export async function valuesOfSensor(uuid: string, channelUuid?: string): Promise<Partial<DatapointValues>> {
  const [sensor, channels] = await Promise.all([fetchSensor(uuid), fetchChannels(uuid)]);
  const channel = channelUuid ? channels.find((row) => row.uuid === channelUuid) : onlyOne(channels);
  return {
    ...(sensor && {
      tocsinSensorUuid: { value: sensor.uuid, label: sensor.uid },
      sensorType: String(sensor.sensorType),
    }),
    tocsinSensorChannelUuid: channel?.uuid ?? '',
    ...(channel && { tocsinDatapointName: channel.name }),
  };
}

/** Returns the initial values of a new data point, based on the records in the URL. */
export async function beginningOf({ asset, sensor, channel }: DatapointPlace): Promise<DatapointValues> {
  const shownAt = asset ? await fetchAsset(asset) : null;
  const measuredBy = sensor ?? shownAt?.sensor?.uuid;
  return {
    ...blankDatapoint,
    ...(shownAt && { tocsinAssetUuid: { value: shownAt.uuid, label: assetName(shownAt) } }),
    ...(measuredBy && (await valuesOfSensor(measuredBy, channel))),
  };
}

function onlyOne<T>(rows: readonly T[]): T | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}
