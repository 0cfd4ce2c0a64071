import { ask, graphql, type ResultOf } from '../../api/graphql.ts';

/** Refetch interval in milliseconds for data whose changes trigger no live update, such as a new site. */
export const SELDOM = 60_000;

const overview = graphql(`
  query Overview($today: Datetime!, $before: Datetime!, $now: Datetime!) {
    plantSummary {
      sites
      silentSites
      lastContact
      silentSince
    }
    alarmsOpenedByHour {
      nodes {
        opened
      }
    }
    acknowledgedToday: acknowledgementFigures(rangeFrom: $today, rangeTo: $now) {
      acknowledged
      medianSeconds
    }
    acknowledgedBefore: acknowledgementFigures(rangeFrom: $before, rangeTo: $today) {
      acknowledged
      medianSeconds
    }
  }
`);

export type Overview = ResultOf<typeof overview>;

/**
 * Fetches the key figures of the dashboard. `today` is the start of today; `before` is the start of the four weeks that
 * precede it.
 */
export function fetchOverview(times: { today: Date; before: Date; now: Date }, signal?: AbortSignal) {
  const { today, before, now } = times;
  return ask(overview, { today: today.toISOString(), before: before.toISOString(), now: now.toISOString() }, signal);
}

const siteBoard = graphql(`
  query SiteBoard(
    $search: String
    $siteType: String
    $unitOffice: UUID
    $state: String
    $first: Int!
    $offset: Int!
  ) {
    siteBoard(
      search: $search
      siteType: $siteType
      unitOfficeUuid: $unitOffice
      state: $state
      first: $first
      offset: $offset
    ) {
      totalCount
      nodes {
        uuid
        name
        siteId
        siteType
        siteStatus
        gsmSignalStrength
        lastUpdate
        hasRules
        waitingAlarms
        group5 {
          name
        }
        worstAlarm {
          severity
          message
          acknowledgeJson
          quietBecause
          quietUntil
          tocsinDatapointUuid
          otherHolders(first: 20) {
            nodes {
              datapointUuid
              isClearing
            }
          }
        }
        leadDatapoint {
          uuid
          tocsinDatapointName
          latestValue
          lastUpdated
          uom
          sensorType
          status
          datapointTitleText
          sensorChannel {
            channelAlarmCondition
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
  }
`);

export type BoardSite = NonNullable<NonNullable<ResultOf<typeof siteBoard>['siteBoard']>['nodes'][number]>;

/** The dashboard's filter. An empty string means that the field is not filtered. */
export interface BoardFilter {
  search: string;
  type: string;
  office: string;
  state: string;
}

export async function fetchBoard(filter: BoardFilter, size: number, offset: number, signal?: AbortSignal) {
  const { siteBoard: board } = await ask(
    siteBoard,
    { ...narrowing(filter), state: filter.state || null, first: size, offset },
    signal,
  );
  return { total: board?.totalCount ?? 0, sites: (board?.nodes ?? []).filter((site) => site !== null) };
}

const stateCounts = graphql(`
  query SiteStateCounts($search: String, $siteType: String, $unitOffice: UUID) {
    siteStateCounts(search: $search, siteType: $siteType, unitOfficeUuid: $unitOffice) {
      nodes {
        state
        sites
      }
    }
  }
`);

/** Fetches the number of sites in each state. Applies all filters except the state filter. */
export async function fetchStateCounts(filter: BoardFilter, signal?: AbortSignal): Promise<Record<string, number>> {
  const { siteStateCounts: counts } = await ask(stateCounts, narrowing(filter), signal);
  return Object.fromEntries((counts?.nodes ?? []).map((row) => [row?.state ?? '', row?.sites ?? 0]));
}

const choices = graphql(`
  query BoardChoices {
    unitOfficesByUser {
      nodes {
        uuid
        uoName
      }
    }
    siteTypes {
      nodes
    }
  }
`);

/** Fetches the unit offices and types of the sites that the user is allowed to see. */
export async function fetchChoices(signal?: AbortSignal) {
  const answer = await ask(choices, {}, signal);
  return {
    offices: (answer.unitOfficesByUser?.nodes ?? []).flatMap((office) =>
      office?.uuid ? [{ value: office.uuid, label: office.uoName ?? '' }] : [],
    ),
    types: (answer.siteTypes?.nodes ?? []).flatMap((type) => (type ? [{ value: type, label: type }] : [])),
  };
}

const trends = graphql(`
  query SiteTrends($uuids: [UUID!]!) {
    sites(filter: { uuid: { in: $uuids } }, first: 100) {
      nodes {
        uuid
        leadDatapoint {
          uuid
          recentValues
        }
      }
    }
  }
`);

/** Values of a data point for the last six hours, one for each 7.5 minutes. A value is null if there was no reading. */
export interface Trend {
  datapoint: string;
  values: readonly (number | null)[];
}

/** Fetches the sparklines of the tiles. The result is keyed by the uuid of the site. */
export async function fetchTrends(uuids: readonly string[], signal?: AbortSignal): Promise<Record<string, Trend>> {
  const { sites } = await ask(trends, { uuids: [...uuids] }, signal);
  return Object.fromEntries(
    (sites?.nodes ?? []).flatMap((site) =>
      site?.leadDatapoint
        ? [[site.uuid, { datapoint: site.leadDatapoint.uuid, values: site.leadDatapoint.recentValues ?? [] }]]
        : [],
    ),
  );
}

function narrowing({ search, type, office }: BoardFilter) {
  return { search: search || null, siteType: type || null, unitOffice: office || null };
}
