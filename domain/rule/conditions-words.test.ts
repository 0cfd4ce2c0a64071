import { describe, expect, test } from 'vitest';
import { displayNumber, plainNumber } from '../alarm/number-text.ts';
import { compileConditions } from './conditions.ts';
import { comparisonsOf, compileTree, restrictToDatapoint, type Tree } from './conditions-tree.ts';
import { conditionsWords, measuredWords, type PointWords, shortComparison, valueWords } from './conditions-words.ts';

const LEVEL = '11111111-1111-4111-8111-111111111111';
const PUMP = '22222222-2222-4222-8222-222222222222';
const STAGE = '33333333-3333-4333-8333-333333333333';

const points: Record<string, PointWords> = {
  [LEVEL]: { asset: 'Sump', name: 'Level', unit: 'm' },
  [PUMP]: { asset: 'Pump 1', name: 'Motor', unit: '', lowText: 'standing', highText: 'running' },
  [STAGE]: { name: 'Stage', lowText: '', highText: '' },
};
const pointOf = (uuid: string) => points[uuid];

const low = { fact: LEVEL, operator: 'lessThan', value: 0.4 };
const deep = { fact: LEVEL, operator: 'greaterThan', value: -2 };
const runs = { fact: PUMP, operator: 'equal', value: 1 };
const second = { fact: STAGE, operator: 'in', value: [1, 2] };

function treeOf(conditions: object): Tree {
  const result = compileConditions(JSON.stringify({ conditions, event: { type: 'alarm' } }));
  if (!result.ok) throw new Error(result.sentence);
  return result.rule.tree;
}

describe('conditions in words', () => {
  test.each<[object, string]>([
    [{ all: [low, runs] }, 'Sump, Level is below 0.4 m and Pump 1, Motor is running'],
    [{ any: [{ not: runs }, second] }, 'Pump 1, Motor is not running or Stage is one of 1, 2'],
    [{ all: [{ ...runs, operator: 'in', value: [0, 1] }] }, 'Pump 1, Motor is one of standing, running'],
    [{ all: [{ ...runs, operator: 'in', value: [1, 2] }] }, 'Pump 1, Motor is one of running, 2'],
    [{ all: [{ ...runs, operator: 'notIn', value: [0, 2] }] }, 'Pump 1, Motor is none of standing, 2'],
    [{ all: [{ ...runs, operator: 'lessThan' }] }, 'Pump 1, Motor is below 1'],
    [{ all: [{ fact: STAGE, operator: 'equal', value: 1 }] }, 'Stage is 1'],
    [{ all: [deep] }, 'Sump, Level is above \u22122 m'],
  ])('writes units and state names for %j', (conditions, words) => {
    expect(conditionsWords(treeOf(conditions), pointOf)).toBe(words);
  });

  test('says that a data point was deleted', () => {
    expect(conditionsWords(treeOf({ all: [low] }), () => undefined)).toBe('a deleted data point is below 0.4');
  });
});

describe('the measured values', () => {
  const measured = (conditions: object, known: Record<string, number>, write = plainNumber) =>
    measuredWords(treeOf(conditions), (uuid) => known[uuid], pointOf, write);

  test('are written with their comparison, and states by name alone', () => {
    const known = { [LEVEL]: 0.31, [PUMP]: 1 };
    expect(measured({ all: [low, runs] }, known)).toEqual([
      'Sump Level: 0.31 m (below 0.4 m)',
      'Pump 1 Motor: running',
    ]);
  });

  test('are those that made the conditions hold, one text for each data point, in the order of the rule', () => {
    const conditions = { all: [{ any: [second, runs] }, low, deep] };
    expect(measured(conditions, { [LEVEL]: -0.5, [PUMP]: 0, [STAGE]: 2 })).toEqual([
      'Stage: 2 (one of 1, 2)',
      'Sump Level: -0.5 m (below 0.4 m and above -2 m)',
    ]);
    expect(measured(conditions, { [LEVEL]: -0.5, [PUMP]: 1 }, displayNumber)).toEqual([
      'Pump 1 Motor: running',
      'Sump Level: \u22120.5 m (below 0.4 m and above \u22122 m)',
    ]);
  });

  test('are all known values without comparisons if the conditions do not hold', () => {
    expect(measured({ all: [low, runs, second] }, { [LEVEL]: 0.5, [PUMP]: 1 })).toEqual([
      'Sump Level: 0.5 m',
      'Pump 1 Motor: running',
    ]);
  });

  test('leave out a deleted data point', () => {
    const conditions = { all: [low] };
    expect(
      measuredWords(
        treeOf(conditions),
        () => 0.1,
        () => undefined,
        plainNumber,
      ),
    ).toEqual([]);
  });
});

test('writes a value with its unit or as a state name, and a comparison without its data point', () => {
  expect(valueWords(-0.5, points[LEVEL], displayNumber)).toBe('\u22120.5 m');
  expect(valueWords(0, points[PUMP], displayNumber)).toBe('standing');
  const short = (condition: object) =>
    comparisonsOf(treeOf({ all: [condition] })).map((comparison) =>
      shortComparison(comparison, points[comparison.datapoint]),
    );
  expect(short(low)).toEqual(['below 0.4 m']);
  expect(short({ not: runs })).toEqual(['not running']);
});

test('keeps all and any when restricting conditions to one data point', () => {
  const tree = treeOf({ any: [{ all: [low, deep, runs] }, second] });
  const ofLevel = restrictToDatapoint(tree, LEVEL);
  const holds = (value: number) => ofLevel && compileTree(ofLevel)(() => value);
  expect([-3, 0, 1].map(holds)).toEqual([false, true, false]);
  expect(restrictToDatapoint(treeOf({ all: [low] }), PUMP)).toBeUndefined();
});
