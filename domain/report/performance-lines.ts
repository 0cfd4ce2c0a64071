import { severityNames } from '../rule/priority.ts';
import { roundPercent } from './percent.ts';
import {
  causeWords,
  loadPerDay,
  type PerformanceTotals,
  percentOf,
  recipientLoad,
  severityShares,
  type TargetState,
  targetState,
  unnotified,
} from './performance.ts';
import type { PerformanceTargets } from './performance-targets.ts';

/** A figure of the report, as a row of a file. */
export interface PerformanceLine {
  name: string;
  value: number | null;
  unit: 'alarms' | '%' | 's' | 'periods' | 'floods';
  target: number | null;
  state: TargetState | null;
}

export const targetStateNames: Readonly<Record<TargetState, string>> = {
  within: 'within the target',
  manageable: 'manageable',
  above: 'above the target',
};

type Target = { target: number; limit?: number };

/** Returns all figures of the report as rows of a file. */
export function performanceLines(totals: PerformanceTotals, targets: PerformanceTargets): PerformanceLine[] {
  const line = (name: string, value: number | null, unit: PerformanceLine['unit'], compared?: Target) => ({
    ...{ name, unit, value: value === null ? null : Math.round(value * 100) / 100 },
    target: compared?.target ?? null,
    state: compared && value !== null ? targetState(value, compared.target, compared.limit) : null,
  });
  const percent = (name: string, part: number, whole: number, target?: number) => ({
    ...line(name, percentOf(part, whole), '%', target === undefined ? undefined : { target }),
    value: roundPercent(percentOf(part, whole)),
  });
  const { alarms, periods } = totals;
  const { mean, busiest, perPeriod } = recipientLoad(totals);
  const peak = Math.max(0, ...totals.recipients.map((row) => row.peak));
  const day = { target: targets.dayAlarmsTarget, limit: targets.dayAlarmsLimit };
  const period = { target: targets.periodAlarmsTarget, limit: targets.periodAlarmsLimit };
  return [
    line('Alarms', alarms, 'alarms'),
    line('Alarms per day', loadPerDay(alarms, totals), 'alarms'),
    line('Alarms per recipient per day', loadPerDay(mean, totals), 'alarms', day),
    line('Alarms per day for the busiest recipient', loadPerDay(busiest, totals), 'alarms', day),
    line('Alarms per recipient in 10 min', perPeriod(mean), 'alarms', period),
    line('Alarms in 10 min for the busiest recipient', perPeriod(busiest), 'alarms', period),
    line('Most alarms in 10 min for any recipient', peak, 'alarms'),
    line('10-minute periods', periods, 'periods'),
    line('10-minute periods with more than 10 alarms', totals.busyPeriods, 'periods'),
    percent(
      'Share of 10-minute periods with more than 10 alarms',
      totals.busyPeriods,
      periods,
      targets.busyShareTarget,
    ),
    line('Floods', totals.floodCount, 'floods'),
    line('Time in floods', totals.floodPeriods * 600, 's'),
    percent('Share of time in floods', totals.floodPeriods, periods, targets.floodShareTarget),
    line('Alarms in floods', totals.floodAlarms, 'alarms'),
    line('Alarms from the top ten rules', totals.topAlarms, 'alarms'),
    percent('Share from the top ten rules', totals.topAlarms, alarms, targets.topRulesShareTarget),
    line('Chattering alarms', totals.chattering, 'alarms'),
    line('Fleeting alarms', totals.fleeting, 'alarms'),
    line('Stale alarms', totals.stale, 'alarms', { target: targets.staleTarget }),
    ...severityShares(totals, targets).flatMap(({ severity, alarms: own, share, target, state }) => [
      line(`${severityNames[severity]} alarms`, own, 'alarms'),
      { name: `Share of ${severity} alarms`, value: roundPercent(share), unit: '%' as const, target, state },
    ]),
    line(`${severityNames.silent} alarms`, totals.silent, 'alarms'),
    line('Acknowledged alarms', totals.acknowledged, 'alarms'),
    line('Time to acknowledge, median', totals.medianSeconds, 's'),
    line('Time to acknowledge, 90th percentile', totals.p90Seconds, 's'),
    line('Alarms that reached nobody', unnotified(totals, 'unreached'), 'alarms', { target: 0 }),
    ...totals.causes.map((row) => line(`Not notified: ${causeWords(row)}`, row.alarms, 'alarms')),
  ];
}
