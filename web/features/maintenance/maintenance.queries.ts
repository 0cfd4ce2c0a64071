import { queryOptions } from '@tanstack/react-query';
import { type Recurrence, type Repeats, repeatKinds } from '../../../domain/maintenance/recurrence.ts';
import { ask, type FragmentOf, graphql, type ResultOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const windowFields = graphql(`
  fragment MaintenanceWindowFields on MaintenanceWindow {
    uuid
    name
    scope
    targetUuid
    targetName
    siteName
    site {
      tocsinGroup5Uuid
    }
    suppresses
    repeats
    firstDay
    lastDay
    fromTime
    toTime
    days
    weekday
    week
    dayOfMonth
    userName
    updatedAt
    endedAt
    quietAlarms
    next {
      startsAt
      endsAt
    }
  }
`);

export type WindowRow = FragmentOf<typeof windowFields>;
/** The fields of a window that the filters of the page compare. */
export type FilteredWindow = Pick<WindowRow, 'scope' | 'targetUuid' | 'site'>;

const plannedMaintenance = graphql(
  `
  query PlannedMaintenance {
    plannedMaintenance(first: 500) {
      nodes {
        ...MaintenanceWindowFields
      }
    }
  }
`,
  [windowFields],
);

/** Fetches the windows that have not ended, the active ones first. */
export const plannedQuery = queryOptions({
  queryKey: ['maintenance', 'planned'],
  queryFn: async ({ signal }) => rowsOf((await ask(plannedMaintenance, {}, signal)).plannedMaintenance),
  refetchInterval: 30_000,
});

const officesOfSensors = graphql(`
  query OfficesOfSensors($sensors: [UUID!]!) {
    assetDatapoints(first: 500, filter: { tocsinSensorUuid: { in: $sensors } }) {
      nodes {
        tocsinSensorUuid
        asset {
          site {
            tocsinGroup5Uuid
          }
        }
      }
    }
  }
`);

/** Fetches the sensors that measure in each unit office, as texts of office and sensor. */
export function sensorOfficesQuery(sensors: readonly string[]) {
  return queryOptions({
    queryKey: ['maintenance', 'sensor-offices', sensors],
    queryFn: async ({ signal }) =>
      rowsOf((await ask(officesOfSensors, { sensors: [...sensors] }, signal)).assetDatapoints).map(
        ({ asset, tocsinSensorUuid }) => `${asset?.site?.tocsinGroup5Uuid} ${tocsinSensorUuid}`,
      ),
  });
}

const maintenanceCalendar = graphql(`
  query MaintenanceCalendar($from: Datetime!, $to: Datetime!) {
    maintenanceCalendar(rangeFrom: $from, rangeTo: $to, first: 500) {
      nodes {
        uuid
        startsAt
        endsAt
        maintenanceWindow {
          uuid
          name
          scope
          targetUuid
          targetName
          siteName
          site {
            tocsinGroup5Uuid
          }
          repeats
          endedAt
        }
      }
    }
  }
`);

export type CalendarEntry = NonNullable<
  NonNullable<ResultOf<typeof maintenanceCalendar>['maintenanceCalendar']>['nodes'][number]
>;

/** Fetches the occurrences of a range of the calendar. */
export function calendarQuery(from: Date, to: Date) {
  const range = { from: from.toISOString(), to: to.toISOString() };
  return queryOptions({
    queryKey: ['maintenance', 'calendar', range.from, range.to],
    queryFn: async ({ signal }) => rowsOf((await ask(maintenanceCalendar, range, signal)).maintenanceCalendar),
    refetchInterval: 30_000,
  });
}

const maintenanceRecord = graphql(
  `
  query MaintenanceRecord($uuid: UUID!) {
    maintenanceWindow(uuid: $uuid) {
      ...MaintenanceWindowFields
    }
  }
`,
  [windowFields],
);

export async function fetchWindow(uuid: string, signal?: AbortSignal) {
  return (await ask(maintenanceRecord, { uuid }, signal)).maintenanceWindow;
}

export function windowQuery(uuid: string) {
  return queryOptions({
    queryKey: ['maintenance', 'record', uuid],
    queryFn: ({ signal }) => fetchWindow(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Returns the recurrence of a window; null if the window exists because of a sensor's status. */
export function recurrenceOf(window: WindowRow): Recurrence | null {
  const repeats = repeatKinds.find((kind): kind is Repeats => kind === window.repeats);
  if (repeats === undefined || window.firstDay === null) return null;
  const { firstDay, lastDay, fromTime, toTime, days, weekday, week, dayOfMonth } = window;
  return { repeats, firstDay, lastDay, fromTime, toTime, days, weekday, week, dayOfMonth };
}

const saveWindow = graphql(`
  mutation SaveMaintenanceWindow($input: SaveMaintenanceWindowInput!) {
    saveMaintenanceWindow(input: $input) {
      result {
        uuid
      }
    }
  }
`);

export interface WindowInput extends Recurrence {
  uuid?: string;
  /** `updatedAt` of the window that the user saw. */
  seen?: string;
  name: string;
  scope: string;
  targetUuid: string;
  suppresses: string;
}

export async function sendWindow(input: WindowInput): Promise<void> {
  await ask(saveWindow, { input });
}

const endMaintenance = graphql(`
  mutation EndMaintenance($uuid: UUID!) {
    endMaintenance(input: { windowUuid: $uuid }) {
      result {
        uuid
      }
    }
  }
`);

export async function sendMaintenanceEnd(uuid: string): Promise<void> {
  await ask(endMaintenance, { uuid });
}

const deleteWindow = graphql(`
  mutation DeleteMaintenanceWindow($uuid: UUID!) {
    deleteMaintenanceWindow(input: { windowUuid: $uuid }) {
      result {
        uuid
      }
    }
  }
`);

export async function removeWindow(uuid: string): Promise<void> {
  await ask(deleteWindow, { uuid });
}
