import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { now } from '../../ui/time/clock.ts';
import { pageOf, type RowOf, rowsOf } from '../list/list.ts';
import { type LogRange, rangeBefore, type Span } from './log-range.ts';

const sensorLogs = graphql(`
  query SensorLogs($dateTimeFrom: Datetime!, $dateTimeTo: Datetime!, $uid: String) {
    sensorLogs(dateTimeFrom: $dateTimeFrom, dateTimeTo: $dateTimeTo, uid: $uid, first: 500) {
      totalCount
      nodes {
        autoId
        dateTime
        uid
        rawData
        door
        encoding
        problem
        note
      }
    }
  }
`);

export type SensorLogRow = RowOf<typeof sensorLogs, 'sensorLogs'>;

const TAIL_MS = 2000;

interface LogQuestion {
  range: LogRange;
  /** The days that were chosen; undefined where they make no range. */
  days: Span | undefined;
  text: string;
  /** Asks again every moment, so that what arrives shows by itself. */
  tail: boolean;
}

/** The 500 newest frames of a range, of those that contain the text where there is one. */
export function sensorLogQuery({ range, days, text, tail }: LogQuestion) {
  return queryOptions({
    queryKey: ['sensor-log', range, days?.from.getTime(), days?.to.getTime(), text],
    queryFn: async ({ signal }) => {
      const span = range === 'days' ? days : rangeBefore(now(), range);
      if (!span) return { rows: [], total: 0 };
      const variables = { dateTimeFrom: span.from.toISOString(), dateTimeTo: span.to.toISOString(), uid: text || null };
      return pageOf((await ask(sensorLogs, variables, signal)).sensorLogs);
    },
    refetchInterval: tail ? TAIL_MS : false,
  });
}

const frameFormats = graphql(`
  query FrameFormats($uids: [String!]!) {
    sensors(filter: { uid: { in: $uids } }) {
      nodes {
        uid
        frameFormat
      }
    }
  }
`);

/** How each of the sensors writes, by uid. Frames of sensors that are gone are read by what they look like. */
export function frameFormatsQuery(uids: readonly string[]) {
  return queryOptions({
    queryKey: ['sensor', 'formats', uids],
    queryFn: async ({ signal }) => {
      const sensors = rowsOf((await ask(frameFormats, { uids: [...uids] }, signal)).sensors);
      return new Map(sensors.map(({ uid, frameFormat }) => [uid, frameFormat]));
    },
    enabled: uids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

const sensorByUid = graphql(`
  query SensorByUid($uid: String!) {
    sensors(first: 1, filter: { uid: { equalTo: $uid } }) {
      nodes {
        uid
        frameFormat
        sensorChannels(orderBy: [CHANNEL_NUMBER_ASC]) {
          nodes {
            channelNumber
            name
            channelFactor
            channelOffset
            channelDecimals
          }
        }
      }
    }
  }
`);

/** The sensor with a uid and its channels, or null where there is none. */
export function sensorByUidQuery(uid: string) {
  return queryOptions({
    queryKey: ['sensor', 'by-exact-uid', uid],
    queryFn: async ({ signal }) => {
      const sensor = rowsOf((await ask(sensorByUid, { uid }, signal)).sensors)[0];
      return sensor ? { frameFormat: sensor.frameFormat, channels: rowsOf(sensor.sensorChannels) } : null;
    },
    enabled: uid !== '',
  });
}
