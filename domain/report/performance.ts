import { formatSeconds } from '../age.ts';
import { plural } from '../plural.ts';
import type { Severity } from '../rule/priority.ts';
import { percentWords } from './percent.ts';
import type { PerformanceTargets } from './performance-targets.ts';

/**
 * Filters of the alarm list, keyed by the value of the URL parameter `only`. Each filter shows the alarms behind one
 * figure of the alarm performance report.
 */
export const performanceFilterNames = {
  addressed: 'With recipients',
  acknowledged: 'Acknowledged',
  nuisance: 'Acknowledged as nuisance',
  busy: 'In 10-minute periods with more than 10 alarms',
  flood: 'In floods',
  top: 'From the top ten rules',
  chattering: 'Chattering',
  fleeting: 'Fleeting',
  stale: 'Stale',
  shelved: 'Opened while shelved',
  suppressed: 'Suppressed',
  unreached: 'Reached nobody',
} as const;
export type PerformanceFilter = keyof typeof performanceFilterNames;
export const performanceFilters = Object.keys(performanceFilterNames) as PerformanceFilter[];

export function readPerformanceFilter(text: string | undefined): PerformanceFilter | undefined {
  return text !== undefined && Object.hasOwn(performanceFilterNames, text) ? (text as PerformanceFilter) : undefined;
}

/** A 10-minute period is busy if it has more than this number of alarms. */
export const BUSY_ALARMS = 10;

/** The totals of `report_performance`. */
export interface PerformanceTotals {
  alarms: number;
  critical: number;
  major: number;
  minor: number;
  silent: number;
  days: number;
  periods: number;
  busyPeriods: number;
  busyAlarms: number;
  floodCount: number;
  floodPeriods: number;
  floodAlarms: number;
  topAlarms: number;
  chattering: number;
  fleeting: number;
  stale: number;
  acknowledged: number;
  medianSeconds: number | null;
  p90Seconds: number | null;
  addressed: number;
  recipientCount: number;
  recipientAlarms: number;
  recipients: readonly { alarms: number; peak: number }[];
  causes: readonly { kind: string; cause: string; alarms: number; rules: number }[];
}

/** `within`: up to the target. `manageable`: above the target, but not above the limit. `above`: above the limit. */
export type TargetState = 'within' | 'manageable' | 'above';

/** A figure and how it compares with its target. */
export interface Measure {
  name: string;
  value: string;
  unit: string;
  state: TargetState;
  /** Describes how the figure compares with its target, such as `within 150`. */
  words: string;
  /** Length of the bar (`share`) and position of the target on it (`mark`), from 0 to 1. */
  share: number;
  mark: number;
  /** Filter for the alarms that the figure counts. */
  only: PerformanceFilter;
}

/** Returns how a value compares with its target. Values up to the limit are manageable. */
export function targetState(value: number, target: number, limit = target): TargetState {
  if (value <= target) return 'within';
  return value <= limit ? 'manageable' : 'above';
}

interface Compared {
  name: string;
  value: number;
  target: number;
  limit?: number;
  only: PerformanceFilter;
  text: string;
  unit: string;
  /** Formats a target value for display. */
  write: (target: number) => string;
}

function measure({ name, value, target, limit, only, text, unit, write }: Compared): Measure {
  const state = targetState(value, target, limit);
  const most = Math.max(target / 0.75, value / 0.92, Number.MIN_VALUE);
  const words = {
    within: `within ${write(target)}`,
    manageable: `above ${write(target)}, manageable up to ${write(limit ?? target)}`,
    above: `above the target of ${write(target)}`,
  }[state];
  return { name, value: text, unit, state, words, only, share: value / most, mark: target / most };
}

/** Returns `part` as a percentage of `whole`; 0 if `whole` is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

/** Returns the number of alarms per day. */
export function loadPerDay(alarms: number, { days }: Pick<PerformanceTotals, 'days'>): number {
  return alarms / Math.max(1, days);
}

/**
 * Returns the number of alarms for an average recipient and for the busiest one, and a function that converts a number
 * of alarms to alarms per period.
 */
export function recipientLoad({ recipients, recipientCount, recipientAlarms, periods }: PerformanceTotals) {
  return {
    mean: recipientAlarms / Math.max(1, recipientCount),
    busiest: Math.max(0, ...recipients.map(({ alarms }) => alarms)),
    perPeriod: (alarms: number) => alarms / Math.max(1, periods),
  };
}

/** Formats a number with at most two decimals: `34.6`, `0.24`. */
export function decimalWords(value: number, locale?: string): string {
  const digits = value !== 0 && value < 10 ? 2 : 1;
  return value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns the number of alarms that nobody was notified of, for causes of this kind. */
export function unnotified({ causes }: Pick<PerformanceTotals, 'causes'>, kind: string): number {
  return causes.reduce((sum, row) => sum + (row.kind === kind ? row.alarms : 0), 0);
}

/** Returns the figures that have a target, in display order. */
export function performanceMeasures(
  totals: PerformanceTotals,
  targets: PerformanceTargets,
  locale?: string,
): Measure[] {
  const { periods, busyPeriods, floodCount, floodPeriods, topAlarms, alarms } = totals;
  const count = (value: number) => value.toLocaleString(locale);
  const percent = (value: number) => `${count(value)} %`;
  const { mean, busiest, perPeriod } = recipientLoad(totals);
  const unreached = unnotified(totals, 'unreached');
  const [busyShare, floodShare] = [percentOf(busyPeriods, periods), percentOf(floodPeriods, periods)];
  return [
    measure({
      ...{ name: 'Alarms per recipient per day', only: 'addressed', write: count },
      ...{ target: targets.dayAlarmsTarget, limit: targets.dayAlarmsLimit },
      value: loadPerDay(mean, totals),
      text: decimalWords(loadPerDay(mean, totals), locale),
      unit: `busiest ${decimalWords(loadPerDay(busiest, totals), locale)}`,
    }),
    measure({
      ...{ name: 'Alarms per recipient in 10 min', only: 'addressed', write: count },
      ...{ target: targets.periodAlarmsTarget, limit: targets.periodAlarmsLimit },
      value: perPeriod(mean),
      text: decimalWords(perPeriod(mean), locale),
      unit: `busiest ${decimalWords(perPeriod(busiest), locale)}`,
    }),
    measure({
      ...{ name: '10-minute periods with more than 10 alarms', only: 'busy', write: percent },
      target: targets.busyShareTarget,
      ...{ value: busyShare, text: percentWords(busyShare), unit: `${count(busyPeriods)} of ${count(periods)}` },
    }),
    measure({
      ...{ name: 'Floods', only: 'flood', target: targets.floodShareTarget },
      ...{ value: floodShare, text: count(floodCount) },
      unit: floodCount === 0 ? '' : `${formatSeconds(floodPeriods * 600)}, ${percentWords(floodShare)}`,
      write: (target) => `${percent(target)} of the time`,
    }),
    measure({
      ...{ name: 'Share from the top ten rules', only: 'top', write: percent, target: targets.topRulesShareTarget },
      ...{ value: percentOf(topAlarms, alarms), text: percentWords(percentOf(topAlarms, alarms)) },
      unit: `${count(topAlarms)} of ${count(alarms)}`,
    }),
    measure({
      ...{ name: 'Alarms that reached nobody', only: 'unreached', write: count, target: 0 },
      ...{ value: unreached, text: count(unreached), unit: causeCount(totals, locale) },
    }),
  ];
}

/** Returns the number of causes for which alarms reached nobody: `2 causes`. Empty if there are none. */
function causeCount({ causes }: Pick<PerformanceTotals, 'causes'>, locale?: string): string {
  const { length } = causes.filter(({ kind, alarms }) => kind === 'unreached' && alarms > 0);
  return length === 0 ? '' : `${length.toLocaleString(locale)} ${plural(length, 'cause')}`;
}

/** Severities that have a target. Alarms of silent sites have none. */
type TargetSeverity = Exclude<Severity, 'silent'>;

/** Returns the share of each severity among the alarms whose severity has a target. */
export function severityShares(
  { critical, major, minor }: Pick<PerformanceTotals, TargetSeverity>,
  { majorShareTarget, criticalShareTarget }: Pick<PerformanceTargets, 'majorShareTarget' | 'criticalShareTarget'>,
) {
  const all = critical + major + minor;
  const row = (severity: TargetSeverity, alarms: number, target: number) => {
    const share = percentOf(alarms, all);
    // The share of minor alarms always counts as within its target. A low share only means that other severities exceed
    // their targets.
    const state: TargetState = severity === 'minor' || share <= target ? 'within' : 'above';
    return { severity, alarms, share, target, state };
  };
  return [
    row('minor', minor, 100 - majorShareTarget - criticalShareTarget),
    row('major', major, majorShareTarget),
    row('critical', critical, criticalShareTarget),
  ];
}

const causeNames: Readonly<Record<string, string>> = {
  'no-recipients': 'No recipients',
  unreachable: 'No recipient has a working method',
  failed: 'Sending failed',
  retrying: 'Sending is being retried',
  kept: 'No sender: kept in the outbox',
};

const suppressedNames: Readonly<Record<string, string>> = {
  '': 'Repeated within 10 minutes',
  maintenance: 'Maintenance',
  dependency: 'Consequence of another alarm',
  flood: 'Reported in a flood digest',
  budget: 'SMS budget used up',
};

/** Returns why nobody was notified: the reason for the shelving or the suppression, or the problem. */
export function causeWords({ kind, cause }: { kind: string; cause: string }): string {
  if (kind === 'suppressed') return suppressedNames[cause] ?? `Suppressed: ${cause}`;
  if (kind === 'shelved') return cause === '' ? 'Shelved (reason deleted)' : `Shelved: ${cause}`;
  return causeNames[cause] ?? cause;
}

/** Returns the shade of a 10-minute period in the load chart, from 0 (no alarm) to 4 (more than 10 alarms). */
export function loadLevel(alarms: number): 0 | 1 | 2 | 3 | 4 {
  if (alarms > BUSY_ALARMS) return 4;
  if (alarms > 5) return 3;
  if (alarms > 2) return 2;
  return alarms > 0 ? 1 : 0;
}

/** Number of alarms for each shade. */
export const loadLevels = ['0', '1 to 2', '3 to 5', '6 to 10', 'above 10'] as const;
