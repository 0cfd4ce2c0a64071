import { queryOptions } from '@tanstack/react-query';
import { DIGITAL, NO_ALARM_STATE } from '../../../domain/datapoint.ts';
import { compileConditions } from '../../../domain/rule/conditions.ts';
import type { ChannelRule, TestedChannel } from '../../../domain/rule/test-value.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { type RowOf, rowsOf } from '../../kit/list/list.ts';
import { alarmNameOf } from './channel-values.ts';

/** The query has three flat lists, because nested lists would exceed the server's limit on the size of a response. */
const channelRules = graphql(`
  query ChannelRules($sensor: UUID!) {
    sensorChannels(first: 100, filter: { tocsinSensorUuid: { equalTo: $sensor } }, orderBy: [CHANNEL_NUMBER_ASC]) {
      nodes {
        uuid
        channelNumber
        name
        channelTitleText
        channelAlarmCondition
        channelFactor
        channelOffset
        channelDecimals
      }
    }
    assetDatapoints(first: 200, filter: { tocsinSensorUuid: { equalTo: $sensor } }) {
      nodes {
        uuid
        sensorType
        tocsinSensorChannelUuid
        asset {
          site {
            siteId
          }
        }
      }
    }
    rules(first: 200, filter: { datapoint: { tocsinSensorUuid: { equalTo: $sensor } } }) {
      nodes {
        name
        enabled
        valueLower
        valueUpper
        debounce
        tocsinDatapointUuid
      }
    }
  }
`);

const conditionRules = graphql(`
  query ConditionRulesOfSites($siteIds: [String!]!) {
    rulesJsons(first: 200, filter: { siteId: { in: $siteIds } }) {
      nodes {
        ruleName
        ruleJson
        enabled
      }
    }
  }
`);

const latestValues = graphql(`
  query LatestValues($datapoints: [UUID!]!) {
    assetDatapoints(first: 200, filter: { uuid: { in: $datapoints } }) {
      nodes {
        uuid
        latestValue
      }
    }
  }
`);

/** The channels of a sensor, with the rules that evaluate their values. */
export interface SensorRules {
  channels: TestedChannel[];
  /** Number of disabled rules with limits. */
  disabled: number;
}

type Channel = RowOf<typeof channelRules, 'sensorChannels'>;
type Point = RowOf<typeof channelRules, 'assetDatapoints'>;
type LimitRule = RowOf<typeof channelRules, 'rules'>;

export function sensorRulesQuery(sensor: { uuid: string; sensorType: number } | undefined) {
  return queryOptions({
    queryKey: ['rule', 'of-sensor', sensor?.uuid, sensor?.sensorType],
    queryFn: async ({ signal }): Promise<SensorRules> => {
      const found = await ask(channelRules, { sensor: sensor?.uuid ?? '' }, signal);
      const points = rowsOf(found.assetDatapoints);
      const rules = rowsOf(found.rules);
      const siteIds = [...new Set(points.flatMap(({ asset }) => asset?.site?.siteId ?? []))];
      const conditions = await readConditions(siteIds, signal);
      return {
        channels: rowsOf(found.sensorChannels).map((channel) => {
          const own = points.filter((point) => point.tocsinSensorChannelUuid === channel.uuid);
          return {
            number: channel.channelNumber,
            scaling: {
              factor: channel.channelFactor,
              offset: channel.channelOffset,
              decimals: channel.channelDecimals,
            },
            isDigital: sensor?.sensorType === DIGITAL,
            rules: [...limitRules(own, rules), ...stateRule(channel, own), ...conditionsOf(own, conditions)],
          };
        }),
        disabled: rules.filter(({ enabled }) => !enabled).length,
      };
    },
    enabled: sensor !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
}

function limitRules(points: readonly Point[], rules: readonly LimitRule[]): ChannelRule[] {
  return rules
    .filter((rule) => rule.enabled && points.some(({ uuid }) => uuid === rule.tocsinDatapointUuid))
    .map(({ name, debounce, valueLower, valueUpper }) => ({
      kind: 'limits',
      name,
      debounce,
      lower: valueLower,
      upper: valueUpper,
    }));
}

function stateRule(channel: Channel, points: readonly Point[]): ChannelRule[] {
  const { channelAlarmCondition: alarmCondition } = channel;
  const hasState = alarmCondition !== NO_ALARM_STATE && points.some(({ sensorType }) => sensorType === DIGITAL);
  return hasState ? [{ kind: 'state', name: alarmNameOf(channel), debounce: 0, alarmCondition }] : [];
}

type ConditionRule = Extract<ChannelRule, { kind: 'conditions' }>;
interface ReadConditions {
  rule: Omit<ConditionRule, 'datapoints'>;
  datapoints: readonly string[];
}

/** Fetches these sites' enabled multi-condition rules, with the latest values of the rules' data points. */
async function readConditions(siteIds: string[], signal: AbortSignal): Promise<ReadConditions[]> {
  if (siteIds.length === 0) return [];
  const stored = rowsOf((await ask(conditionRules, { siteIds }, signal)).rulesJsons);
  const compiled = stored.flatMap(({ ruleName, ruleJson, enabled }) => {
    const result = enabled ? compileConditions(ruleJson) : null;
    return result?.ok ? { name: ruleName, ...result.rule } : [];
  });
  const datapoints = [...new Set(compiled.flatMap((rule) => rule.datapoints))];
  if (datapoints.length === 0) return [];
  const values = rowsOf((await ask(latestValues, { datapoints }, signal)).assetDatapoints);
  const known = new Map(values.map(({ uuid, latestValue }) => [uuid, latestValue ?? undefined]));
  return compiled.map(({ name, holdMs, tree, datapoints }) => ({
    rule: { kind: 'conditions', name, debounce: holdMs / 1000, tree, latest: (uuid) => known.get(uuid) },
    datapoints,
  }));
}

function conditionsOf(points: readonly Point[], conditions: readonly ReadConditions[]): ChannelRule[] {
  const own = points.map(({ uuid }) => uuid);
  return conditions.flatMap(({ rule, datapoints }) =>
    datapoints.some((uuid) => own.includes(uuid)) ? { ...rule, datapoints: own } : [],
  );
}
