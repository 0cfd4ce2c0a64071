import { displayNumber } from '../../../domain/alarm/number-text.ts';
import { compileConditions } from '../../../domain/rule/conditions.ts';
import {
  type Comparison,
  comparisonsOf,
  compileTree,
  type Operator,
  restrictToDatapoint,
  type Tree,
  trueComparisons,
  type ValueOf,
} from '../../../domain/rule/conditions-tree.ts';
import {
  conditionsWords,
  type PointWords,
  shortComparison,
  unwrapSingleGroups,
  valueWords,
} from '../../../domain/rule/conditions-words.ts';
import { pointWords } from '../../kit/format/datapoint-name.ts';
import { formatNumber } from '../../kit/format/value.ts';
import { rowsOf } from '../../kit/list/list.ts';
import type { AlarmReading } from './alarm.queries.ts';
import { isOpeningValueNewer } from './alarm-datapoint.ts';
import { readCriteria } from './criteria.ts';

type ConditionsAlarm = Pick<AlarmReading, 'dateTime' | 'criteria' | 'conditionDatapoints'>;
export type ConditionPoint = NonNullable<AlarmReading['conditionDatapoints']['nodes'][number]>;

/** The conditions that opened an alarm, with the values of their data points. */
export interface Conditions {
  /** Tree of the conditions. A group with a single condition is replaced by that condition. */
  tree: Tree;
  /** Data points with their current values, keyed by uuid. Deleted data points are not included. */
  points: ReadonlyMap<string, ConditionPoint>;
  now: ValueOf;
  opened: ValueOf;
  /** True if the values at which the alarm opened are stored with it. */
  isRecorded: boolean;
}

/** Returns the alarm's conditions; null if the alarm has none or does not store them. */
export function readConditions({ dateTime, conditionDatapoints, ...alarm }: ConditionsAlarm): Conditions | null {
  const criteria = readCriteria(alarm.criteria);
  const compiled = criteria?.kind === 'conditions' ? compileConditions(criteria.ruleJson) : undefined;
  if (criteria?.kind !== 'conditions' || !compiled?.ok) {
    return null;
  }
  const { values } = criteria;
  const stored = rowsOf(conditionDatapoints);
  const points = new Map(stored.map((point) => [point.uuid, withOpeningValue(point, values[point.uuid], dateTime)]));
  return {
    tree: unwrapSingleGroups(compiled.rule.tree),
    points,
    now: (datapoint) => points.get(datapoint)?.latestValue ?? undefined,
    opened: (datapoint) => values[datapoint],
    isRecorded: Object.keys(values).length > 0,
  };
}

function withOpeningValue(point: ConditionPoint, value: number | undefined, openedAt: string): ConditionPoint {
  return value === undefined || !isOpeningValueNewer(value, openedAt, point)
    ? point
    : { ...point, latestValue: value, lastUpdated: openedAt };
}

/** Returns true if conditions opened the alarm and the current values still meet them. */
export function conditionsHold(alarm: ConditionsAlarm): boolean {
  const conditions = readConditions(alarm);
  return conditions !== null && compileTree(conditions.tree)(conditions.now);
}

/**
 * One comparison as text. `now` is the current value, and `opened` the value when the alarm opened; null if unknown.
 */
export interface Condition {
  /** The comparison as text, such as `Sump, Level is above 80 %`. */
  words: string;
  now: { text: string; at: string | null; holds: boolean } | null;
  opened: { text: string; holds: boolean } | null;
}

export function conditionOf(comparison: Comparison, { points, now, opened }: Conditions): Condition {
  const { datapoint } = comparison;
  const named = wordsOfPoint(points.get(datapoint));
  const read = (value: number | undefined) =>
    value === undefined
      ? null
      : { text: valueText(value, comparison, named), holds: compileTree(comparison)(() => value) };
  const current = read(now(datapoint));
  return {
    words: conditionsWords(comparison, () => named),
    now: current && { ...current, at: points.get(datapoint)?.lastUpdated ?? null },
    opened: read(opened(datapoint)),
  };
}

function wordsOfPoint(point: ConditionPoint | undefined): PointWords | undefined {
  return point && pointWords(point);
}

/** Formats the value. Adds decimals if rounding would make the value look equal to a limit that it differs from. */
function valueText(value: number, { values }: Comparison, named: PointWords | undefined, locale?: string): string {
  const short = formatNumber(value, locale);
  const isNear = values.some((other) => other !== value && formatNumber(other, locale) === short);
  return valueWords(value, named, isNear ? displayNumber : () => short);
}

/** Returns the heading of a group of conditions. */
export function groupHeading({ kind }: Tree): string {
  return kind === 'all'
    ? 'All of these must be true'
    : kind === 'any'
      ? 'At least one of these must be true'
      : 'Condition';
}

export interface ConditionsSummary {
  /** True for several conditions. `value` is then a count such as `2 of 3 met`. */
  isCounted: boolean;
  /** A count such as `2 of 3 met`, or the measured value of a single condition. Empty if no value is known. */
  value: string;
  /** The measured value of a single numeric condition; null if the condition is not numeric or the value is unknown. */
  number: number | null;
  unit: string;
  /** Text such as `both conditions`, or the limit of a single condition. Empty for a digital state. */
  limit: string;
  /** Summary of several conditions: `2 of 2 conditions met`. Empty for a single condition. */
  sentence: string;
  /** True if all values are known and the conditions are not met. */
  isInside: boolean;
}

/** Summarizes the current state of the conditions for a table cell. Returns null if the alarm has no conditions. */
export function summarizeConditions(alarm: ConditionsAlarm, locale?: string): ConditionsSummary | null {
  const conditions = readConditions(alarm);
  if (conditions === null) {
    return null;
  }
  const { tree, points, now } = conditions;
  const comparisons = comparisonsOf(tree);
  const known = comparisons.filter(({ datapoint }) => now(datapoint) !== undefined);
  const isInside = known.length === comparisons.length && !compileTree(tree)(now);
  if (tree.kind !== 'comparison') {
    const holding = comparisons.filter((comparison) => compileTree(comparison)(now)).length;
    const count = `${holding} of ${comparisons.length}`;
    const limit = requirementWords(tree, comparisons.length);
    const [value, sentence] = known.length === 0 ? ['', limit] : [`${count} met`, `${count} conditions met`];
    return { isCounted: true, value, number: null, unit: '', limit, sentence, isInside };
  }
  const value = now(tree.datapoint);
  const point = points.get(tree.datapoint);
  const named = wordsOfPoint(point);
  const isState = Boolean(named?.lowText || named?.highText);
  const limit = isState ? '' : shortComparison(tree, named && { ...named, unit: '' });
  const unit = isState ? '' : (point?.uom ?? '');
  const text = value === undefined ? '' : valueText(value, tree, named && { ...named, unit: '' }, locale);
  const number = isState ? null : (value ?? null);
  return { isCounted: false, value: text, number, unit: text && unit, limit, sentence: '', isInside };
}

function requirementWords(tree: Exclude<Tree, Comparison>, count: number): string {
  if (tree.parts.some((part) => unwrapSingleGroups(part).kind !== 'comparison')) {
    return `${count} conditions`;
  }
  return tree.kind === 'any'
    ? `any of ${count} conditions`
    : count === 2
      ? 'both conditions'
      : `all ${count} conditions`;
}

export interface ChartLimit {
  value: number;
  /** The side of the limit on which the condition is met. */
  side: 'high' | 'low';
  /** Label beside the limit line in the chart, such as `≥`. */
  word: string;
}

/** Chart of one data point, with the limits from its conditions. */
export interface ConditionChart {
  point: ConditionPoint;
  name: string;
  limits: readonly ChartLimit[];
  isOutside: (value: number) => boolean;
  formatValue: (value: number) => string;
}

const sides: Readonly<Partial<Record<Operator, Pick<ChartLimit, 'side' | 'word'>>>> = {
  greaterThan: { side: 'high', word: '>' },
  greaterThanInclusive: { side: 'high', word: '≥' },
  lessThan: { side: 'low', word: '<' },
  lessThanInclusive: { side: 'low', word: '≤' },
};

/** Returns one chart per data point. Data points that met the conditions when the alarm opened come first. */
export function conditionCharts({ tree, points, now, opened, isRecorded }: Conditions): ConditionChart[] {
  const all = comparisonsOf(tree);
  const holding = trueComparisons(tree, isRecorded ? opened : now) ?? [];
  const order = new Set([...holding, ...all].map(({ datapoint }) => datapoint));
  return [...order].flatMap((datapoint) => {
    const point = points.get(datapoint);
    const part = restrictToDatapoint(tree, datapoint);
    if (!point || !part) return [];
    const named = pointWords(point);
    return {
      point,
      name: named.asset ? `${named.asset}, ${named.name}` : named.name,
      limits: comparisonsOf(part).flatMap(({ operator, values }) => {
        const side = sides[operator];
        return side ? { ...side, value: values[0] as number } : [];
      }),
      isOutside: (value: number) => compileTree(part)(() => value),
      formatValue: (value: number) => valueWords(value, named, formatNumber),
    };
  });
}
