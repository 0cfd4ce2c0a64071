import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';

const activeFloods = graphql(`
  query ActiveFloods {
    activeAlarmFloods(first: 20) {
      totalCount
      nodes {
        uuid
        placeName
        beganAt
        alarms
        tocsinAlarmUuid
        firstMessage
        firstSiteName
      }
    }
  }
`);

export type ActiveFlood = NonNullable<NonNullable<ResultOf<typeof activeFloods>['activeAlarmFloods']>['nodes'][number]>;

/** Returns the oldest 20 active floods, and their total number. */
export async function fetchActiveFloods(signal?: AbortSignal) {
  const { activeAlarmFloods: floods } = await ask(activeFloods, {}, signal);
  return { total: floods?.totalCount ?? 0, rows: (floods?.nodes ?? []).filter((row) => row !== null) };
}

const floodPlace = graphql(`
  query FloodPlace($uuid: UUID!) {
    alarmFlood(uuid: $uuid) {
      placeName
      beganAt
    }
  }
`);

/** Returns the place and time of a flood; null if it does not exist or the user is not allowed to see it. */
export async function fetchFloodPlace(uuid: string, signal?: AbortSignal) {
  return (await ask(floodPlace, { uuid }, signal)).alarmFlood;
}
