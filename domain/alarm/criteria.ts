import { type CompiledConditions, compileConditions } from '../rule/conditions.ts';
import { conditionsWords, measuredWords } from '../rule/conditions-words.ts';
import type { ConditionPoint, Context } from '../rule/context.ts';
import { displayNumber, plainNumber } from './number-text.ts';
import type { SamplesOf } from './samples.ts';

/** A compiled multi-condition rule, with a lookup of the data points that it compares. */
export interface RecordedConditions {
  rule: CompiledConditions;
  pointOf: (datapointUuid: string) => ConditionPoint | undefined;
}

/**
 * Compiles a multi-condition rule. Returns undefined for other kinds of rules, and for stored conditions that cannot be
 * compiled.
 */
export function conditionsOf({ kind, ruleJson, points }: Context): RecordedConditions | undefined {
  if (kind !== 'conditions') return undefined;
  const compiled = compileConditions(ruleJson ?? '');
  return compiled.ok ? { rule: compiled.rule, pointOf: (datapoint) => points?.[datapoint] } : undefined;
}

/**
 * Returns the channels whose readings explain the alarm: the channel of the rule, or the channels that its conditions
 * compare.
 */
export function channelsOf({ channelKey }: Context, conditions: RecordedConditions | undefined): number[] {
  if (!conditions) return channelKey === null ? [] : [channelKey];
  const { rule, pointOf } = conditions;
  return rule.datapoints.flatMap((datapoint) => pointOf(datapoint)?.channelKey ?? []);
}

export interface MeasuredValues {
  /** The measured values for notifications: one text for each value. */
  sentences: readonly string[];
  /** The measured values for the console, in a single text. */
  shown: string;
  /** The measured values, keyed by data point uuid. A data point without a reading has no entry. */
  values: Readonly<Record<string, number>>;
}

/**
 * Returns the values that met the conditions at the time `at`. If the debounce ended exactly at a reading that no
 * longer meets the conditions, returns the values just before `at`. If those do not meet them either, because device
 * clocks differ, tries the newest values.
 */
export function measuredAt({ rule, pointOf }: RecordedConditions, samplesOf: SamplesOf, at: number): MeasuredValues {
  const samples = (datapoint: string) => samplesOf(pointOf(datapoint)?.channelKey ?? null, at);
  const before = (datapoint: string) => samples(datapoint).findLast((sample) => sample.at <= at)?.value;
  const justBefore = (datapoint: string) => samples(datapoint).findLast((sample) => sample.at < at)?.value;
  const newest = (datapoint: string) => samples(datapoint).at(-1)?.value;
  const latest = [before, justBefore, newest].find((values) => rule.holds(values)) ?? before;
  return {
    sentences: measuredWords(rule.tree, latest, pointOf, plainNumber),
    shown: measuredWords(rule.tree, latest, pointOf, displayNumber).join(', '),
    values: Object.fromEntries(
      rule.datapoints.flatMap((datapoint) => {
        const value = latest(datapoint);
        return value === undefined ? [] : [[datapoint, value]];
      }),
    ),
  };
}

/** Returns the limits or conditions that opened the alarm, as stored in `alarm.criteria`. */
export function criteriaOf(
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
    words: conditionsWords(rule.tree, pointOf),
    measured: measured?.shown ?? '',
    values: measured?.values ?? {},
  };
}
