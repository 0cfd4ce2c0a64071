import type { LiveDatapoint } from '../../../kit/live/live.queries.ts';
import type { AlarmDetail } from './alarm-detail.queries.ts';

type Alarm = Pick<AlarmDetail, 'tocsinDatapointUuid' | 'resolvedDate' | 'datapoint' | 'conditionDatapoints'>;

/** The data points whose values an alarm is about, while it is open. */
export function pointsOf({ tocsinDatapointUuid, resolvedDate, conditionDatapoints }: Alarm): string[] {
  if (resolvedDate !== null) return [];
  return [tocsinDatapointUuid, ...conditionDatapoints.nodes.map((point) => point?.uuid)].flatMap((uuid) => uuid ?? []);
}

/** An open alarm with the values that came since it was fetched, for its words and its charts alike. */
export function withLiveValues<A extends Alarm>(alarm: A, heard: (uuid: string) => LiveDatapoint | undefined): A {
  const { tocsinDatapointUuid, resolvedDate, datapoint, conditionDatapoints: points } = alarm;
  if (resolvedDate !== null) return alarm;
  const own = heard(tocsinDatapointUuid ?? '');
  const title = own?.titleText ?? datapoint?.datapointTitleText ?? '';
  return {
    ...alarm,
    datapoint: datapoint && newest(datapoint, own, { datapointTitleText: title }),
    conditionDatapoints: { ...points, nodes: points.nodes.map((point) => point && newest(point, heard(point.uuid))) },
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
