/**
 * Conditions without `not`. The parser moves every negation into the comparisons. For an unknown value, a comparison
 * and its negation can therefore both be false.
 */
export type Tree = Comparison | Group;

export interface Group {
  readonly kind: 'all' | 'any';
  readonly parts: readonly Tree[];
}

export interface Comparison {
  readonly kind: 'comparison';
  readonly datapoint: string;
  readonly operator: Operator;
  /** One number, or several for `in` and `notIn`. */
  readonly values: readonly number[];
}

interface OperatorFacts {
  readonly opposite: Operator;
  readonly takesList: boolean;
  /** True if the operator compares with exact values, which can be states of a digital channel. */
  readonly ofStates: boolean;
  readonly words: (values: string) => string;
  /** Returns a predicate on a value. It returns false for NaN, which represents an unknown value. */
  readonly test: (values: readonly number[]) => (value: number) => boolean;
}

export const operatorNames = [
  'equal',
  'notEqual',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
  'in',
  'notIn',
] as const;
export type Operator = (typeof operatorNames)[number];

const only = (values: readonly number[]) => values[0] as number;

export const operators: Readonly<Record<Operator, OperatorFacts>> = {
  equal: {
    opposite: 'notEqual',
    takesList: false,
    ofStates: true,
    words: (value) => `is ${value}`,
    test: (values) => {
      const other = only(values);
      return (value) => value === other;
    },
  },
  notEqual: {
    opposite: 'equal',
    takesList: false,
    ofStates: true,
    words: (value) => `is not ${value}`,
    test: (values) => {
      const other = only(values);
      return (value) => value < other || value > other;
    },
  },
  lessThan: {
    opposite: 'greaterThanInclusive',
    takesList: false,
    ofStates: false,
    words: (value) => `is below ${value}`,
    test: (values) => {
      const limit = only(values);
      return (value) => value < limit;
    },
  },
  lessThanInclusive: {
    opposite: 'greaterThan',
    takesList: false,
    ofStates: false,
    words: (value) => `is at most ${value}`,
    test: (values) => {
      const limit = only(values);
      return (value) => value <= limit;
    },
  },
  greaterThan: {
    opposite: 'lessThanInclusive',
    takesList: false,
    ofStates: false,
    words: (value) => `is above ${value}`,
    test: (values) => {
      const limit = only(values);
      return (value) => value > limit;
    },
  },
  greaterThanInclusive: {
    opposite: 'lessThan',
    takesList: false,
    ofStates: false,
    words: (value) => `is at least ${value}`,
    test: (values) => {
      const limit = only(values);
      return (value) => value >= limit;
    },
  },
  in: {
    opposite: 'notIn',
    takesList: true,
    ofStates: true,
    words: (values) => `is one of ${values}`,
    test: (values) => {
      const known = new Set(values);
      return (value) => known.has(value);
    },
  },
  notIn: {
    opposite: 'in',
    takesList: true,
    ofStates: true,
    words: (values) => `is none of ${values}`,
    test: (values) => {
      const known = new Set(values);
      return (value) => !Number.isNaN(value) && !known.has(value);
    },
  },
};

export type ValueOf = (datapointUuid: string) => number | undefined;

/** Returns a function that tests the conditions against the latest values. */
export function compileTree(tree: Tree): (latest: ValueOf) => boolean {
  if (tree.kind === 'comparison') {
    const { datapoint } = tree;
    const test = operators[tree.operator].test(tree.values);
    return (latest) => test(latest(datapoint) ?? Number.NaN);
  }
  const parts = tree.parts.map(compileTree);
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  if (tree.kind === 'all') {
    return (latest) => {
      for (const holds of parts) if (!holds(latest)) return false;
      return true;
    };
  }
  return (latest) => {
    for (const holds of parts) if (holds(latest)) return true;
    return false;
  };
}

/** Returns the comparisons that are true, in the order of the rule; undefined if the conditions do not hold. */
export function trueComparisons(tree: Tree, latest: ValueOf): readonly Comparison[] | undefined {
  if (tree.kind === 'comparison') return compileTree(tree)(latest) ? [tree] : undefined;
  const parts = tree.parts.map((part) => trueComparisons(part, latest));
  const holding = parts.filter((part) => part !== undefined);
  return holding.length >= (tree.kind === 'all' ? parts.length : 1) ? holding.flat() : undefined;
}

export function comparisonsOf(tree: Tree): readonly Comparison[] {
  return tree.kind === 'comparison' ? [tree] : tree.parts.flatMap(comparisonsOf);
}

/** Returns only the conditions on one data point; undefined if there are none. */
export function restrictToDatapoint(tree: Tree, datapoint: string): Tree | undefined {
  if (tree.kind === 'comparison') return tree.datapoint === datapoint ? tree : undefined;
  const parts = tree.parts.flatMap((part) => restrictToDatapoint(part, datapoint) ?? []);
  return parts.length === 0 ? undefined : { kind: tree.kind, parts };
}
