import type { LiveDatapoint } from '../../../kit/live/live.queries.ts';
import type { AlarmDetail } from './alarm-detail.queries.ts';

type Alarm = Pick<AlarmDetail, 'tocsinDatapointUuid' | 'resolvedDate' | 'datapoint' | 'conditionDatapoints'>;

/** Returns the uuids of the data points whose live values to follow; an empty list for a resolved alarm. */
export function watchedDatapoints({ tocsinDatapointUuid, resolvedDate, conditionDatapoints }: Alarm): string[] {
  if (resolvedDate !== null) return [];
  return [tocsinDatapointUuid, ...conditionDatapoints.nodes.map((point) => point?.uuid)].flatMap((uuid) => uuid ?? []);
}

/** Replaces fetched values with newer live values. Returns a resolved alarm unchanged. */
export function withLiveValues<A extends Alarm>(alarm: A, latest: (uuid: string) => LiveDatapoint | undefined): A {
  const { tocsinDatapointUuid, resolvedDate, datapoint, conditionDatapoints: points } = alarm;
  if (resolvedDate !== null) return alarm;
  const own = latest(tocsinDatapointUuid ?? '');
  const title = own?.titleText ?? datapoint?.datapointTitleText ?? '';
  return {
    ...alarm,
    datapoint: datapoint && newest(datapoint, own, { datapointTitleText: title }),
    conditionDatapoints: { ...points, nodes: points.nodes.map((point) => point && newest(point, latest(point.uuid))) },
  };
}

function newest<P extends { latestValue: number | null; lastUpdated: string | null }>(
  stored: P,
  { value, time }: Pick<LiveDatapoint, 'value' | 'time'> = { value: null, time: null },
  more?: Partial<P>,
): P {
  const isNewer = value !== null && time !== null && time > (stored.lastUpdated ? Date.parse(stored.lastUpdated) : 0);
  return isNewer ? { ...stored, ...more, latestValue: value, lastUpdated: new Date(time).toISOString() } : stored;
}
