import { plainNumber, shownNumber } from '../../domain/alarm/number-text.ts';
import { type CompiledConditions, compileConditions } from '../../domain/rule/conditions.ts';
import { measuredWords, wordsOf } from '../../domain/rule/conditions-words.ts';
import type { ConditionPoint, Context } from '../rule/context.ts';
import type { SamplesOf } from './samples.ts';

/** What conditions said when an alarm of theirs opened. */
export interface RecordedConditions {
  rule: CompiledConditions;
  pointOf: (datapointUuid: string) => ConditionPoint | undefined;
}

/** Undefined for every other kind of rule, and for conditions that got in although they cannot be compiled. */
export function conditionsOf({ kind, ruleJson, points }: Context): RecordedConditions | undefined {
  if (kind !== 'conditions') return undefined;
  const compiled = compileConditions(ruleJson ?? '');
  return compiled.ok ? { rule: compiled.rule, pointOf: (datapoint) => points?.[datapoint] } : undefined;
}

/** The channels whose readings say why: that of the datapoint, or those that conditions name. */
export function channelsOf({ channelKey }: Context, conditions: RecordedConditions | undefined): number[] {
  if (!conditions) return channelKey === null ? [] : [channelKey];
  const { rule, pointOf } = conditions;
  return rule.datapoints.flatMap((datapoint) => pointOf(datapoint)?.channelKey ?? []);
}

export interface MeasuredValues {
  /** As messages say it. */
  told: readonly string[];
  /** As the console shows it. */
  shown: string;
  /** By the datapoint; one that had no reading yet is not among them. */
  values: Readonly<Record<string, number>>;
}

/**
 * What the datapoints of conditions were at a moment. A debounce can end exactly at a reading by which they cease to hold; then
 * those before it count. Sensors have clocks of their own, so what made them hold can be later by its device: where they did not
 * hold by what was before, what is known of the time after counts as well.
 */
export function measuredAt({ rule, pointOf }: RecordedConditions, samplesOf: SamplesOf, at: number): MeasuredValues {
  const samples = (datapoint: string) => samplesOf(pointOf(datapoint)?.channelKey ?? null, at);
  const before = (datapoint: string) => samples(datapoint).findLast((sample) => sample.at <= at)?.value;
  const justBefore = (datapoint: string) => samples(datapoint).findLast((sample) => sample.at < at)?.value;
  const newest = (datapoint: string) => samples(datapoint).at(-1)?.value;
  const latest = [before, justBefore, newest].find((values) => rule.holds(values)) ?? before;
  return {
    told: measuredWords(rule.tree, latest, pointOf, plainNumber),
    shown: measuredWords(rule.tree, latest, pointOf, shownNumber).join(', '),
    values: Object.fromEntries(
      rule.datapoints.flatMap((datapoint) => {
        const value = latest(datapoint);
        return value === undefined ? [] : [[datapoint, value]];
      }),
    ),
  };
}

/** The limits or conditions an alarm was judged by, as they were. */
export function evaluationRecord(
  context: Context,
  conditions: RecordedConditions | undefined,
  measured: MeasuredValues | undefined,
): object {
  const { kind, ruleName: name, version, debounce } = context;
  if (kind === 'limits') {
    const { lower, upper, clearLower, clearUpper, unit } = context;
    return { kind, name, version, lower, upper, clearLower, clearUpper, debounce, unit };
  }
  if (kind === 'digital') {
    const { alarmCondition, lowText, highText } = context;
    return { kind, name, alarmState: alarmCondition === 0 ? 'low' : 'high', lowText, highText, debounce };
  }
  const { ruleJson } = context;
  if (!conditions) return { kind, name, version, ruleJson };
  const { rule, pointOf } = conditions;
  return {
    ...{ kind, name, version, ruleJson, debounce: rule.holdMs / 1000, datapoints: rule.datapoints },
    words: wordsOf(rule.tree, pointOf),
    measured: measured?.shown ?? '',
    values: measured?.values ?? {},
  };
}
