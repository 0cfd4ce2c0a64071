import { displayNumber } from '../alarm/number-text.ts';
import {
  type Comparison,
  comparisonsOf,
  operators,
  type Tree,
  trueComparisons,
  type ValueOf,
} from './conditions-tree.ts';

/** What sentences say of a data point that conditions name, as far as it is known. */
export interface PointWords {
  readonly asset?: string;
  readonly name: string;
  readonly unit?: string;
  /** What a digital channel calls its states. */
  readonly lowText?: string;
  readonly highText?: string;
}

export type PointOf = (datapointUuid: string) => PointWords | undefined;

/** How a number is written depends on where it is read. */
type WriteNumber = (value: number) => string;

/** The conditions as people would say them, for a screen. */
export function conditionsWords(tree: Tree, pointOf: PointOf): string {
  if (tree.kind === 'comparison') {
    const point = pointOf(tree.datapoint);
    return `${point ? nameOf(point, ', ') : 'a data point that is gone'} ${comparedWords(tree, point, displayNumber)}`;
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

/** A group of one says no more than what is in it. */
export function unwrapSingleGroups(tree: Tree): Tree {
  let inner = tree;
  while (inner.kind !== 'comparison' && inner.parts.length === 1) inner = inner.parts[0] as Tree;
  return inner;
}

/**
 * What the data points were that made the conditions hold, in the order of the rule, each once and with what it is compared
 * with: `Sump Level: 0.31 m (below 0.4 m)`, `Pump 1 Motor: running`. Where these values do not make them hold, they are those
 * of all data points, and nothing is said of what they are compared with.
 */
export function measuredWords(tree: Tree, latest: ValueOf, pointOf: PointOf, write: WriteNumber): string[] {
  const holding = trueComparisons(tree, latest);
  const byPoint = Map.groupBy(holding ?? comparisonsOf(tree), ({ datapoint }) => datapoint);
  return [...byPoint].flatMap(([datapoint, comparisons]) => {
    const point = pointOf(datapoint);
    const value = latest(datapoint);
    if (!point || value === undefined) return [];
    const state = stateOf(value, point);
    // A state, and a number that has to be just so, say it all.
    const compared = holding && !state ? comparisons.filter(({ operator }) => operator !== 'equal') : [];
    const limits = compared.map((comparison) => withoutIs(comparedWords(comparison, point, write)));
    const beside = limits.length === 0 ? '' : ` (${[...new Set(limits)].join(' and ')})`;
    return `${nameOf(point, ' ')}: ${valueWords(value, point, write)}${beside}`;
  });
}

/** A value with its unit, or the word of a state. */
export function valueWords(value: number, point: PointWords | undefined, write: WriteNumber): string {
  return stateOf(value, point) || withUnit(write(value), point);
}

/** What a value is compared with, where its name stands elsewhere: `above 80 %`, `running`. */
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

/** The states of a digital channel that have a name, with the value that each is sent as. */
export function namedStates(point: PointWords | undefined): { value: string; label: string }[] {
  return [0, 1].flatMap((value) => {
    const label = stateOf(value, point);
    return label ? [{ value: String(value), label }] : [];
  });
}

/** The word for a state; empty where the channel has none. */
function stateOf(value: number, point: PointWords | undefined): string {
  return (value === 0 ? point?.lowText : value === 1 ? point?.highText : '') ?? '';
}

function withUnit(text: string, point: PointWords | undefined): string {
  return `${text} ${point?.unit ?? ''}`.trimEnd();
}
