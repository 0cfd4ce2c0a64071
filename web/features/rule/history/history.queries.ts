import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';
import type { DraftLimits } from '../rule-form.ts';

const ruleSeries = graphql(`
  query RuleSeries($datapoints: [UUID]!, $from: Datetime!, $to: Datetime!, $width: Int!) {
    series(datapointUuids: $datapoints, from: $from, to: $to, width: $width) {
      times
      mins
      maxs
      means
      bucketMs
    }
  }
`);

export interface Range {
  from: string;
  to: string;
}

/**
 * Minimum, maximum and mean of each time interval. If the range has few readings, contains the raw readings instead.
 */
export interface History {
  /** Times in seconds since 1970. */
  times: number[];
  lowest: number[];
  highest: number[];
  means: number[];
  /** True for raw readings, false for aggregated values. */
  raw: boolean;
}

export function historyQuery(datapointUuid: string | null, range: Range, width: number) {
  return queryOptions({
    queryKey: ['series', datapointUuid, range.from, range.to, width],
    queryFn: async ({ signal }): Promise<History> => {
      const answer = await ask(ruleSeries, { datapoints: [datapointUuid], ...range, width }, signal);
      const series = answer.series?.[0];
      return {
        times: numbers(series?.times).map((time) => time / 1000),
        lowest: numbers(series?.mins),
        highest: numbers(series?.maxs),
        means: numbers(series?.means),
        raw: series?.bucketMs === null || series?.bucketMs === undefined,
      };
    },
    enabled: datapointUuid !== null,
    staleTime: 60_000,
    refetchInterval: ({ state }) => againWhileNothing(state.data?.times.length),
  });
}

const AGAIN = 10_000;

/** Returns the refetch interval in milliseconds if there are no readings yet; otherwise false, which stops polling. */
export function againWhileNothing(readings: number | undefined): number | false {
  return readings === 0 ? AGAIN : false;
}

/**
 * Returns the history to show while another period loads. Returns undefined if the previous history is empty or belongs
 * to another data point.
 */
export function shownMeanwhile(before: History | undefined, isOfDatapoint: boolean): History | undefined {
  return isOfDatapoint && before?.times.length !== 0 ? before : undefined;
}

function numbers(values: readonly (number | null)[] | null | undefined): number[] {
  return (values ?? []).map((value) => value ?? Number.NaN);
}

const simulateRule = graphql(`
  query SimulateRule($input: SimulateRuleInput!) {
    simulateRule(input: $input) {
      readings
      alarmCount
      alarmsPerDay
      chattering
      messages
      notes
      alarms(first: 500) {
        openedAt
        resolvedAt
        peak
      }
      missedCount
      missed {
        alarmUuid
        message
        openedAt
        resolvedAt
        reason
      }
    }
  }
`);

export type Simulation = NonNullable<ResultOf<typeof simulateRule>['simulateRule']>;

/**
 * Identifies the simulated rule. `ruleName` determines the recipients. `ruleUuid` determines the past alarms of a
 * stored rule; it is null for a new rule.
 */
interface Named {
  ruleName: string;
  ruleUuid: string | null;
}

/** Simulates a rule on the stored readings of the range. */
export function simulationQuery(
  datapointUuid: string | null,
  limits: DraftLimits | null,
  { ruleName, ruleUuid }: Named,
  range: Range,
) {
  return queryOptions({
    queryKey: ['rule', 'simulation', datapointUuid, limits, ruleName, ruleUuid, range.from, range.to],
    queryFn: async ({ signal }): Promise<Simulation | null> => {
      const named = { ruleName, ruleUuid };
      const input = { datapointUuid: datapointUuid ?? '', ...limits, ...named, ...range };
      return (await ask(simulateRule, { input }, signal)).simulateRule ?? null;
    },
    enabled: datapointUuid !== null && limits !== null,
    staleTime: 60_000,
    retry: false,
  });
}
