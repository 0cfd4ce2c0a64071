import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { now } from '../../ui/time/clock.ts';
import { pageOf, type RowOf } from '../list/list.ts';
import { type LogRange, rangeBefore } from './log-range.ts';

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

/** The 500 newest frames of a range that ends now, of those that contain the text where there is one. */
export function sensorLogQuery(range: LogRange, text: string) {
  return queryOptions({
    queryKey: ['sensor-log', range, text],
    queryFn: async ({ signal }) => {
      const { from, to } = rangeBefore(now(), range);
      const variables = { dateTimeFrom: from.toISOString(), dateTimeTo: to.toISOString(), uid: text || null };
      return pageOf((await ask(sensorLogs, variables, signal)).sensorLogs);
    },
  });
}
