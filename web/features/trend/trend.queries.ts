import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { readSeries, type Series } from '../../kit/chart/series.ts';
import type { Window } from '../../kit/chart/time-window.ts';
import { findDatapoints } from '../../kit/choices/find-datapoints.queries.ts';
import { type RowOf, rowsOf } from '../../kit/list/list.ts';

const trendPoints = graphql(`
  query TrendPoints($uuids: [UUID!]!) {
    assetDatapoints(filter: { uuid: { in: $uuids } }, first: 20) {
      nodes {
        uuid
        tocsinDatapointName
        uom
        sensorType
        latestValue
        lastUpdated
        asset {
          name
          site {
            uuid
            name
          }
        }
        sensorChannel {
          channelLowText
          channelHighText
        }
        rules(first: 20) {
          nodes {
            enabled
            valueLower
            valueUpper
          }
        }
      }
    }
  }
`);

export type TrendPoint = RowOf<typeof trendPoints, 'assetDatapoints'>;

/** Fetches the data points of a trend with their limits, in the given order. The result omits deleted data points. */
export function trendPointsQuery(uuids: readonly string[]) {
  return queryOptions({
    queryKey: ['datapoint', 'trend', uuids],
    queryFn: async ({ signal }) => {
      const found = rowsOf((await ask(trendPoints, { uuids: [...uuids] }, signal)).assetDatapoints);
      return uuids.flatMap((uuid) => found.find((point) => point.uuid === uuid) ?? []);
    },
    enabled: uuids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
}

const trendSeries = graphql(`
  query TrendSeries($datapoints: [UUID]!, $from: Datetime!, $to: Datetime!, $width: Int!) {
    series(datapointUuids: $datapoints, from: $from, to: $to, width: $width) {
      datapointUuid
      times
      means
      mins
      maxs
      bucketMs
    }
  }
`);

/**
 * Fetches the values of a time window for a chart of the given width in pixels. Returns raw readings if there are few,
 * otherwise averages with minimum and maximum.
 */
export function trendSeriesQuery(uuids: readonly string[], { from, to }: Window, width: number) {
  return queryOptions({
    queryKey: ['series', uuids, from, to, width],
    queryFn: async ({ signal }): Promise<Series[]> => {
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const { series } = await ask(trendSeries, { datapoints: [...uuids], ...range, width }, signal);
      return (series ?? []).flatMap((answer) => (answer ? readSeries(answer) : []));
    },
    enabled: uuids.length > 0 && width > 0,
    placeholderData: keepPreviousData,
    // A live trend requests a new window every few seconds, so unused windows are removed from the cache early.
    gcTime: 20_000,
  });
}

const trendAlarms = graphql(`
  query TrendAlarms($uuids: [UUID]!, $from: Datetime!, $to: Datetime!) {
    alarmsOfDatapoints(datapointUuids: $uuids, from: $from, to: $to, first: 200) {
      nodes {
        uuid
        severity
        message
        dateTime
        resolvedDate
        acknowledgeJson
        tocsinDatapointUuid
        conditionDatapoints(first: 50) {
          nodes {
            uuid
          }
        }
      }
    }
  }
`);

export type TrendAlarm = RowOf<typeof trendAlarms, 'alarmsOfDatapoints'>;

/**
 * Fetches the alarms that were open in the window: alarms of these data points, and alarms whose conditions use the
 * data points.
 */
export function trendAlarmsQuery(uuids: readonly string[], { from, to }: Window) {
  return queryOptions({
    queryKey: ['alarm', 'trend', uuids, from, to],
    queryFn: async ({ signal }) => {
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      return rowsOf((await ask(trendAlarms, { uuids: [...uuids], ...range }, signal)).alarmsOfDatapoints);
    },
    enabled: uuids.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 20_000,
  });
}

/** Searches the data points of all sites by name, asset or site. */
export function findPointsQuery(text: string) {
  return queryOptions({
    queryKey: ['datapoint', 'for-trend', text],
    queryFn: ({ signal }) => findDatapoints(text, signal),
    placeholderData: keepPreviousData,
  });
}
