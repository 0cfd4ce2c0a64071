import { displayNumber } from '../alarm/number-text.ts';
import {
  type Comparison,
  comparisonsOf,
  operators,
  type Tree,
  trueComparisons,
  type ValueOf,
} from './conditions-tree.ts';

/** Names and unit of a data point, for use in texts. */
export interface PointWords {
  readonly asset?: string;
  readonly name: string;
  readonly unit?: string;
  /** State names of a digital channel. */
  readonly lowText?: string;
  readonly highText?: string;
}

export type PointOf = (datapointUuid: string) => PointWords | undefined;

/** Formats a number for a screen or a message. */
type WriteNumber = (value: number) => string;

/** Formats the conditions as a sentence, for screens. */
export function conditionsWords(tree: Tree, pointOf: PointOf): string {
  if (tree.kind === 'comparison') {
    const point = pointOf(tree.datapoint);
    return `${point ? nameOf(point, ', ') : 'a deleted data point'} ${comparedWords(tree, point, displayNumber)}`;
  }
  const joint = tree.kind === 'all' ? ' and ' : ' or ';
  return tree.parts
    .map((part) => {
      const inner = unwrapSingleGroups(part);
      const words = conditionsWords(inner, pointOf);
      return tree.parts.length > 1 && inner.kind !== 'comparison' && inner.kind !== tree.kind ? `(${words})` : words;
    })
    .join(joint);
}

/** Removes groups that have a single part. */
export function unwrapSingleGroups(tree: Tree): Tree {
  let inner = tree;
  while (inner.kind !== 'comparison' && inner.parts.length === 1) inner = inner.parts[0] as Tree;
  return inner;
}

/**
 * Formats the values that made the conditions hold, one text for each data point, in the order of the rule. Each text
 * includes the comparison: `Sump Level: 0.31 m (below 0.4 m)`, `Pump 1 Motor: running`. If the conditions do not hold,
 * returns the values of all data points without comparisons.
 */
export function measuredWords(tree: Tree, latest: ValueOf, pointOf: PointOf, write: WriteNumber): string[] {
  const holding = trueComparisons(tree, latest);
  const byPoint = Map.groupBy(holding ?? comparisonsOf(tree), ({ datapoint }) => datapoint);
  return [...byPoint].flatMap(([datapoint, comparisons]) => {
    const point = pointOf(datapoint);
    const value = latest(datapoint);
    if (!point || value === undefined) return [];
    const state = stateOf(value, point);
    // For a state or an exact number, the comparison would only repeat the value and is omitted.
    const compared = holding && !state ? comparisons.filter(({ operator }) => operator !== 'equal') : [];
    const limits = compared.map((comparison) => withoutIs(comparedWords(comparison, point, write)));
    const beside = limits.length === 0 ? '' : ` (${[...new Set(limits)].join(' and ')})`;
    return `${nameOf(point, ' ')}: ${valueWords(value, point, write)}${beside}`;
  });
}

/** Formats a value with its unit, or returns the name of its state. */
export function valueWords(value: number, point: PointWords | undefined, write: WriteNumber): string {
  return stateOf(value, point) || withUnit(write(value), point);
}

/** Formats a comparison without the data point: `above 80 %`, `running`. */
export function shortComparison(comparison: Comparison, point: PointWords | undefined): string {
  return withoutIs(comparedWords(comparison, point, displayNumber));
}

function withoutIs(words: string): string {
  return words.replace(/^is /, '');
}

function nameOf({ asset, name }: PointWords, between: string): string {
  return asset ? `${asset}${between}${name}` : name;
}

function comparedWords({ operator, values }: Comparison, point: PointWords | undefined, write: WriteNumber): string {
  const { words, ofStates } = operators[operator];
  const hasStates = ofStates && values.some((value) => stateOf(value, point));
  return words(
    hasStates
      ? values.map((value) => stateOf(value, point) || write(value)).join(', ')
      : withUnit(values.map(write).join(', '), point),
  );
}

/** Returns the named states of a digital channel with their values. */
export function namedStates(point: PointWords | undefined): { value: string; label: string }[] {
  return [0, 1].flatMap((value) => {
    const label = stateOf(value, point);
    return label ? [{ value: String(value), label }] : [];
  });
}

/** Returns the name of a state; empty if it has none. */
function stateOf(value: number, point: PointWords | undefined): string {
  return (value === 0 ? point?.lowText : value === 1 ? point?.highText : '') ?? '';
}

function withUnit(text: string, point: PointWords | undefined): string {
  return `${text} ${point?.unit ?? ''}`.trimEnd();
}
