import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { quietState } from '../../kit/format/alarm.ts';
import { limitsWatched, type Watching } from '../../kit/format/limit-state.ts';
import { type RowOf, rowsOf } from '../../kit/list/list.ts';
import { alarmHead, alarmReading, alarmShelving } from '../alarm/index.ts';
import { throughGateway } from '../sensor/index.ts';
import type { KnownPoint } from '../trend/index.ts';

const siteView = graphql(`
  query SiteView($uuid: UUID!) {
    site(uuid: $uuid) {
      uuid
      name
      siteId
      siteType
      siteStatus
      lastUpdate
      hasRules
      leadDatapoint {
        uuid
      }
      tocsinHealthDurationHours
      gsmProvider
      gsmSignalStrength
      group5 {
        uuid
        name
      }
      weekHealth {
        received
        expected
      }
      people(first: 50) {
        nodes {
          userUuid
          name
          isAlert
          isHealth
          escalateAfter
        }
      }
      ruleAlerts(first: 500) {
        nodes {
          tocsinRuleName
        }
      }
      rules(first: 500) {
        nodes {
          enabled
          tocsinDatapointUuid
          valueLower
          valueUpper
        }
      }
      assets(first: 100, orderBy: [NAME_ASC]) {
        nodes {
          uuid
          name
          description
          status
          assetDatapoints(
            first: 100
            orderBy: [TOCSIN_ASSET_DATAPOINT_ORDER_ASC, TOCSIN_DATAPOINT_NAME_ASC]
          ) {
            nodes {
              uuid
              tocsinDatapointName
              uom
              sensorType
              status
              tocsinAssetDatapointOrder
              datapointColor
              datapointTitleText
              latestValue
              lastUpdated
              sensor {
                uid
              }
              sensorChannel {
                channelTitleText
                channelLowText
                channelHighText
                channelAlarmCondition
              }
            }
          }
        }
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof siteView>['site']>;
type AnswerAsset = NonNullable<Answer['assets']['nodes'][number]>;
export type Point = NonNullable<AnswerAsset['assetDatapoints']['nodes'][number]> & {
  /** Limits set by the enabled rules. */
  limits: Watching['limits'];
};
export interface SiteAsset {
  uuid: string;
  name: string;
  description: string;
  inUse: boolean;
  points: Point[];
}
export type SitePerson = NonNullable<Answer['people']['nodes'][number]>;
export type SiteFacts = Omit<Answer, 'assets' | 'people' | 'ruleAlerts' | 'rules'> & {
  assets: SiteAsset[];
  people: SitePerson[];
  /** Names of the rules that have a rule alert. */
  alertNames: string[];
  /** Number of disabled rules with limits. */
  disabledRules: number;
};

export const siteViewKey = (uuid: string) => ['site-view', uuid] as const;

/** Fetches the site with its assets; null if it was deleted or the user has no access. */
export function siteViewQuery(uuid: string) {
  return queryOptions({
    queryKey: siteViewKey(uuid),
    queryFn: async ({ signal }): Promise<SiteFacts | null> => {
      const { site } = await ask(siteView, { uuid }, signal);
      if (!site) return null;
      const { rules: ruleRows, ruleAlerts, ...facts } = site;
      const rules = rowsOf(ruleRows);
      const enabledRules = rules.filter(({ enabled }) => enabled);
      const watching = Map.groupBy(enabledRules, ({ tocsinDatapointUuid }) => tocsinDatapointUuid);
      const assets = rowsOf(site.assets).map(({ assetDatapoints, status, ...asset }) => ({
        ...asset,
        inUse: status,
        points: rowsOf(assetDatapoints).map((point) => ({
          ...point,
          limits: limitsWatched(watching.get(point.uuid) ?? []),
        })),
      }));
      return {
        ...facts,
        assets,
        people: rowsOf(site.people),
        alertNames: rowsOf(ruleAlerts).map(({ tocsinRuleName }) => tocsinRuleName),
        disabledRules: rules.length - enabledRules.length,
      };
    },
    // Values are updated live. Polling is still needed to detect new and deleted data points, and the loss of access.
    refetchInterval: 15_000,
  });
}

/** Returns the site's data points in the form that the trend needs. */
export function trendPoints({ uuid, name, assets }: SiteFacts): KnownPoint[] {
  return assets.flatMap((asset) =>
    asset.points.map((point) => ({
      ...point,
      asset: { name: asset.name, site: { uuid, name } },
      rules: {
        nodes: point.limits.map(({ lower, upper }) => ({ enabled: true, valueLower: lower, valueUpper: upper })),
      },
    })),
  );
}

const siteAlarms = graphql(
  `
  query SiteAlarms($uuid: UUID!) {
    openCount: alarmCount(isOpen: true, isShelved: false, siteUuid: $uuid) {
      nodes
    }
    shelvedCount: alarmCount(isOpen: true, isShelved: true, siteUuid: $uuid) {
      nodes
    }
    alarmList(isOpen: true, siteUuid: $uuid, first: 100) {
      nodes {
        ...AlarmHead
        ...AlarmReading
        ...AlarmShelving
        ruleName
        notifiedCount
        notNotifiedBecause
        notNotifiedMethods
        escalationStep
        occurrences
        causeName
        tocsinDatapointUuid
      }
    }
  }
`,
  [alarmHead, alarmReading, alarmShelving],
);

export type SiteAlarm = RowOf<typeof siteAlarms, 'alarmList'>;
export interface SiteAlarmsAnswer {
  /** Number of open alarms that are not quiet. */
  total: number;
  shelved: number;
  /** The open alarms. Quiet alarms are last. */
  rows: SiteAlarm[];
}

/**
 * Fetches the open alarms of the site in the order of the alarm list, with quiet alarms last. The query key starts
 * with `alarm`, so that actions on alarms invalidate it.
 */
export function siteAlarmsQuery(uuid: string) {
  return queryOptions({
    queryKey: ['alarm', 'of-site', uuid],
    queryFn: async ({ signal }): Promise<SiteAlarmsAnswer> => {
      const { alarmList, openCount, shelvedCount } = await ask(siteAlarms, { uuid }, signal);
      return {
        total: openCount?.nodes[0] ?? 0,
        shelved: shelvedCount?.nodes[0] ?? 0,
        rows: rowsOf(alarmList).toSorted(
          (one, other) => Number(quietState(one) !== null) - Number(quietState(other) !== null),
        ),
      };
    },
    refetchInterval: 15_000,
  });
}

const siteFrames = graphql(`
  query SiteFrames($uids: [String!]!) {
    incomingSensorLogs(filter: { uid: { in: $uids } }, first: 8, orderBy: [DATE_TIME_DESC]) {
      nodes {
        autoId
        dateTime
        uid
        rawData
        encoding
        problem
      }
    }
    sensors(filter: { uid: { in: $uids }, gatewayExists: true }, orderBy: [UID_ASC]) {
      nodes {
        uid
        lastContact
        gateway {
          uid
        }
      }
    }
  }
`);

type SiteFramesAnswer = ResultOf<typeof siteFrames>;
export type SiteFrame = RowOf<typeof siteFrames, 'incomingSensorLogs'>;

/**
 * Last contact of a sensor: either the sensor's own frame, or the gateway that forwarded newer values. Forwarded frames
 * are logged under the gateway's uid.
 */
type Contact = { at: string; frame: SiteFrame } | { at: string; gateway: string };

const MOST_CONTACTS = 8;

function contactsOf({ incomingSensorLogs, sensors }: SiteFramesAnswer): Contact[] {
  const frames = rowsOf(incomingSensorLogs);
  const gateways = new Map<string, string>();
  for (const sensor of rowsOf(sensors)) {
    const own = frames.find(({ uid }) => uid === sensor.uid);
    const through = throughGateway(sensor, own);
    if (through && through.at > (gateways.get(through.gateway) ?? '')) gateways.set(through.gateway, through.at);
  }
  const contacts = [
    ...[...gateways].map(([gateway, at]) => ({ at, gateway })),
    ...frames.map((frame) => ({ at: frame.dateTime, frame })),
  ];
  return contacts.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MOST_CONTACTS);
}

/** Fetches the last contacts of the site's sensors: their frames, and the gateways that forwarded their values. */
export function siteFramesQuery(uids: readonly string[]) {
  return queryOptions({
    queryKey: ['sensor-log', 'of-site', uids],
    queryFn: async ({ signal }) => contactsOf(await ask(siteFrames, { uids: [...uids] }, signal)),
    enabled: uids.length > 0,
    refetchInterval: 5_000,
  });
}

const siteCommands = graphql(`
  query SiteCommands($uids: [String!]!) {
    replyMessages(filter: { uid: { in: $uids } }, first: 5, orderBy: [QUEUED_ON_DESC]) {
      nodes {
        id
        uid
        replyCommand
        queuedOn
        state
        cancelledBy
        reply
      }
    }
  }
`);

export function siteCommandsQuery(uids: readonly string[]) {
  return queryOptions({
    queryKey: ['sensor-command', 'of-site', uids],
    queryFn: async ({ signal }) => rowsOf((await ask(siteCommands, { uids: [...uids] }, signal)).replyMessages),
    enabled: uids.length > 0,
    refetchInterval: 5_000,
  });
}
