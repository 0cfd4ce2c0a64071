import type { PerformanceTotals } from '../../../../domain/report/performance.ts';
import { type PerformanceTargets, performanceTargets } from '../../../../domain/report/performance-targets.ts';
import { severities } from '../../../../domain/rule/priority.ts';
import { ask, graphql, type ResultOf } from '../../../api/graphql.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { performanceTargetFields } from '../../customer/index.ts';
import { type Place, placeOf, type Range, times } from '../report-filters.ts';

const performance = graphql(`
  query AlarmPerformance(
    $from: Datetime!
    $to: Datetime!
    $office: UUID
    $sites: [UUID]
    $rule: UUID
    $recipient: UUID
  ) {
    reportPerformance(
      rangeFrom: $from
      rangeTo: $to
      unitOfficeUuid: $office
      siteUuids: $sites
      ofRule: $rule
      toRecipient: $recipient
    ) {
      alarms
      critical
      major
      minor
      silent
      days
      periods
      busyPeriods
      busyAlarms
      floodCount
      floodPeriods
      floodAlarms
      topAlarms
      chattering
      fleeting
      stale
      acknowledged
      medianSeconds
      p90Seconds
      addressed
      recipientCount
      recipientAlarms
      load
      floods {
        siteUuid
        groupUuid
        siteName
        beganAt
        endedAt
        alarms
        firstAlarmUuid
        firstMessage
      }
      rules {
        uuid
        ruleName
        siteName
        source
        severity
        alarms
        acknowledged
        nuisance
        isAdviceDismissed
      }
      recipients {
        uuid
        name
        alarms
        peak
        acknowledged
        meanSeconds
      }
      causes {
        kind
        cause
        alarms
        rules
      }
    }
  }
`);

const targets = graphql(
  `
  query AlarmPerformanceTargets {
    customers(first: 1) {
      nodes {
        ...PerformanceTargetFields
      }
    }
  }
`,
  [performanceTargetFields],
);

type Answer = NonNullable<ResultOf<typeof performance>['reportPerformance']>;
type Part<Name extends 'floods' | 'rules' | 'recipients'> = NonNullable<NonNullable<Answer[Name]>[number]>;
export type PerformanceFlood = Part<'floods'>;
export type PerformanceRule = Part<'rules'>;
export type PerformanceRecipient = Part<'recipients'> & { alarms: number; peak: number };

export interface PerformanceReport extends PerformanceTotals {
  /** Number of alarms in each period of ten minutes; empty for a long range. */
  load: readonly number[];
  floods: readonly PerformanceFlood[];
  rules: readonly PerformanceRule[];
  recipients: readonly PerformanceRecipient[];
}

export interface PerformanceFilters extends Place {
  rule: string | undefined;
  recipient: string | undefined;
}

const counts = [
  ...['alarms', ...severities, 'days', 'periods', 'busyPeriods', 'busyAlarms'],
  ...['floodCount', 'floodPeriods', 'floodAlarms', 'topAlarms', 'chattering', 'fleeting', 'stale', 'acknowledged'],
  ...['addressed', 'recipientCount', 'recipientAlarms'],
] as const;

export async function fetchPerformance(
  range: Range,
  { rule, recipient, ...place }: PerformanceFilters,
  signal?: AbortSignal,
): Promise<PerformanceReport> {
  const variables = { ...times(range), ...placeOf(place), rule: rule ?? null, recipient: recipient ?? null };
  const { reportPerformance: answer } = await ask(performance, variables, signal);
  const numbers = Object.fromEntries(
    counts.map((name) => [name, (answer as Record<string, number> | null)?.[name] ?? 0]),
  ) as unknown as PerformanceTotals;
  return {
    ...numbers,
    medianSeconds: answer?.medianSeconds ?? null,
    p90Seconds: answer?.p90Seconds ?? null,
    load: (answer?.load ?? []).map((alarms) => alarms ?? 0),
    floods: present(answer?.floods),
    rules: present(answer?.rules),
    recipients: present(answer?.recipients).map((row) => ({ ...row, alarms: row.alarms ?? 0, peak: row.peak ?? 0 })),
    causes: present(answer?.causes).map(({ kind, cause, alarms, rules }) => ({
      ...{ kind: kind ?? '', cause: cause ?? '', alarms: alarms ?? 0, rules: rules ?? 0 },
    })),
  };
}

/** Fetches the targets from the company's settings. */
export async function fetchPerformanceTargets(signal?: AbortSignal): Promise<PerformanceTargets> {
  const customer = rowsOf((await ask(targets, {}, signal)).customers)[0];
  if (!customer) throw new Error('The company settings could not be loaded. Sign in again.');
  return Object.fromEntries(performanceTargets.map(({ field }) => [field, customer[field]])) as PerformanceTargets;
}

function present<T>(rows: readonly (T | null)[] | null | undefined): T[] {
  return rowsOf({ nodes: rows ?? [] });
}
