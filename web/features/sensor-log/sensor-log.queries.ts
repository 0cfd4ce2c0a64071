import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { type LogRange, rangeBefore, type Span } from '../../kit/format/log-range.ts';
import { pageOf, type RowOf, rowsOf } from '../../kit/list/list.ts';
import { now } from '../../ui/time/clock.ts';
import type { KnownChannel } from './decoded-frame.ts';

const sensorLogs = graphql(`
  query SensorLogs($dateTimeFrom: Datetime!, $dateTimeTo: Datetime!, $uid: String) {
    sensorLogs(dateTimeFrom: $dateTimeFrom, dateTimeTo: $dateTimeTo, uid: $uid, first: 500) {
      totalCount
      nodes {
        autoId
        dateTime
        uid
        rawData
        protocol
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
  /** The days that the user chose; undefined if the range is invalid. */
  days: Span | undefined;
  text: string;
  /** True to poll for new frames. */
  tail: boolean;
}

/** Fetches the 500 newest frames of a range. `text` limits the result to frames whose uid or data contain it. */
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

/**
 * Fetches the frame format of each sensor, keyed by uid. The result omits deleted sensors; the format of their frames
 * is auto-detected.
 */
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

const sensorsByUid = graphql(`
  query SensorsByUid($uids: [String!]!) {
    sensors(first: 200, filter: { uid: { in: $uids } }) {
      nodes {
        uid
        frameFormat
        gateway {
          uid
        }
        sensorChannels(first: 100, orderBy: [CHANNEL_NUMBER_ASC]) {
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

/** Sensors for the decoder, keyed by uid. */
export type SensorsByUid = ReadonlyMap<
  string,
  { frameFormat: string; gateway: { uid: string } | null; channels: readonly KnownChannel[] }
>;

/** Fetches the sensors with these uids and their channels. The result omits unknown uids. */
export function sensorsByUidQuery(uids: readonly string[]) {
  return queryOptions({
    queryKey: ['sensor', 'by-exact-uids', uids],
    queryFn: async ({ signal }): Promise<SensorsByUid> => {
      const sensors = rowsOf((await ask(sensorsByUid, { uids: [...uids] }, signal)).sensors);
      return new Map(
        sensors.map(({ sensorChannels, ...sensor }) => [sensor.uid, { ...sensor, channels: rowsOf(sensorChannels) }]),
      );
    },
    enabled: uids.length > 0,
  });
}

const commandsOf = graphql(`
  query CommandsOf($uids: [String!]!, $ids: [BigInt!]!) {
    replyMessages(filter: { uid: { in: $uids }, id: { in: $ids } }) {
      nodes {
        id
        uid
      }
    }
  }
`);

/** Uid of a device, and id of a command that it confirmed. */
export interface Named {
  uid: string;
  id: number;
}

const MOST_NAMED = 500;

export const keyOfCommand = ({ uid, id }: { uid: string; id: number | string }) => `${uid} ${id}`;

/** Fetches the keys (see `keyOfCommand`) of those of the given commands that exist. */
export function commandsQuery(named: readonly Named[]) {
  return queryOptions({
    queryKey: ['reply-message', 'named', named],
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const variables = { uids: named.map(({ uid }) => uid), ids: named.map(({ id }) => String(id)) };
      return new Set(rowsOf((await ask(commandsOf, variables, signal)).replyMessages).map(keyOfCommand));
    },
    // The query does not run for more commands than fit on one page, because commands on further pages would appear not
    // to exist.
    enabled: named.length > 0 && named.length <= MOST_NAMED,
  });
}
