import { type FieldSentence, fieldSentences } from '../field-sentences.ts';

interface TargetDefinition {
  field: string;
  /** Column of `tocsin.customer`. */
  column: string;
  label: string;
  least: number;
  most: number;
  sentence: FieldSentence;
}

const perDay = { least: 1, most: 10_000, sentence: 'target-day-alarms' } as const;
const perPeriod = { least: 1, most: 1000, sentence: 'target-period-alarms' } as const;
const floodEnd = { least: 1, most: 10, sentence: 'target-flood-end' } as const;
const hours = { least: 1, most: 8760, sentence: 'shelve-hours' } as const;
const stale = { least: 0, most: 10_000, sentence: 'target-stale' } as const;
const percent = { least: 0, most: 100, sentence: 'target-share' } as const;

/**
 * The settings of the alarm performance report, with their allowed ranges. The check constraints of the database allow
 * the same ranges.
 */
export const performanceTargets = [
  { field: 'dayAlarmsTarget', column: 'day_alarms_target', label: 'Acceptable alarms per day (maximum)', ...perDay },
  { field: 'dayAlarmsLimit', column: 'day_alarms_limit', label: 'Manageable alarms per day (maximum)', ...perDay },
  {
    field: 'periodAlarmsTarget',
    column: 'period_alarms_target',
    label: 'Acceptable alarms per 10 min (maximum)',
    ...perPeriod,
  },
  {
    field: 'periodAlarmsLimit',
    column: 'period_alarms_limit',
    label: 'Manageable alarms per 10 min (maximum)',
    ...perPeriod,
  },
  { field: 'busyShareTarget', column: 'busy_share_target', label: 'Periods with more than 10 alarms (%)', ...percent },
  { field: 'floodShareTarget', column: 'flood_share_target', label: 'Time in floods (%)', ...percent },
  { field: 'floodEndAlarms', column: 'flood_end_alarms', label: 'Flood ends below (alarms)', ...floodEnd },
  {
    field: 'topRulesShareTarget',
    column: 'top_rules_share_target',
    label: 'Share from the top ten rules (%)',
    ...percent,
  },
  { field: 'staleHours', column: 'stale_hours', label: 'Stale after (hours)', ...hours },
  { field: 'staleTarget', column: 'stale_target', label: 'Stale alarms', ...stale },
  { field: 'majorShareTarget', column: 'major_share_target', label: 'Major alarms (%)', ...percent },
  { field: 'criticalShareTarget', column: 'critical_share_target', label: 'Critical alarms (%)', ...percent },
] as const satisfies readonly TargetDefinition[];

export type PerformanceTarget = (typeof performanceTargets)[number]['field'];
export type PerformanceTargets = Readonly<Record<PerformanceTarget, number>>;

/** Parses a whole number. Returns undefined if the text is not a number in the allowed range. */
function readTarget(text: string, { least, most }: Pick<TargetDefinition, 'least' | 'most'>): number | undefined {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

/** Returns an error for each setting that the database would refuse. */
export function targetProblems(
  texts: Readonly<Record<PerformanceTarget, string>>,
): Partial<Record<PerformanceTarget, string>> {
  const read = Object.fromEntries(
    performanceTargets.map((target) => [target.field, readTarget(texts[target.field], target)]),
  ) as Record<PerformanceTarget, number | undefined>;
  const problems: Partial<Record<PerformanceTarget, string>> = Object.fromEntries(
    performanceTargets
      .filter(({ field }) => read[field] === undefined)
      .map(({ field, sentence }) => [field, fieldSentences[sentence]]),
  );
  const { dayAlarmsTarget, dayAlarmsLimit, periodAlarmsTarget, periodAlarmsLimit } = read;
  if (isBelow(dayAlarmsLimit, dayAlarmsTarget)) problems.dayAlarmsLimit = fieldSentences['target-order'];
  if (isBelow(periodAlarmsLimit, periodAlarmsTarget)) problems.periodAlarmsLimit = fieldSentences['target-order'];
  if (isBelow(100, (read.majorShareTarget ?? 0) + (read.criticalShareTarget ?? 0)))
    problems.criticalShareTarget ??= fieldSentences['target-share-sum'];
  return problems;
}

function isBelow(number: number | undefined, least: number | undefined): boolean {
  return number !== undefined && least !== undefined && number < least;
}
