import { describe, expect, test } from 'vitest';
import { comparisonsOf } from '../../../domain/rule/conditions-tree.ts';
import {
  type ConditionPoint,
  type Conditions,
  conditionCharts,
  conditionOf,
  conditionsHold,
  readConditions,
  summarizeConditions,
} from './conditions.ts';

const LEVEL = '11111111-1111-4111-8111-111111111111';
const PUMP = '22222222-2222-4222-8222-222222222222';
const opened = '2026-03-02T08:00:00Z';
const later = '2026-03-02T08:05:00Z';

const level = (latestValue: number | null, lastUpdated = later): ConditionPoint => ({
  ...{ uuid: LEVEL, tocsinDatapointName: 'Level', latestValue, lastUpdated, uom: '%', sensorType: 2 },
  ...{ asset: { name: 'Sump' }, sensorChannel: { channelLowText: 'L', channelHighText: 'H' } },
});
const pump = (latestValue: number | null, lastUpdated = later): ConditionPoint => ({
  ...{ uuid: PUMP, tocsinDatapointName: 'Motor', latestValue, lastUpdated, uom: '', sensorType: 1 },
  ...{ asset: { name: 'Pump 1' }, sensorChannel: { channelLowText: 'standing', channelHighText: 'running' } },
});
const high = { fact: LEVEL, operator: 'greaterThan', value: 80 };
const stands = { fact: PUMP, operator: 'equal', value: 0 };

const alarm = (conditions: object, nodes: ConditionPoint[], values?: object) => ({
  dateTime: opened,
  criteria: {
    ...{ kind: 'conditions', words: 'W', measured: '', datapoints: [LEVEL, PUMP], values },
    ruleJson: JSON.stringify({ conditions, event: { type: 'alarm' } }),
  },
  conditionDatapoints: { nodes },
});
const read = (...given: Parameters<typeof alarm>) => readConditions(alarm(...given)) as Conditions;
const describeConditions = (...given: Parameters<typeof alarm>) => {
  const conditions = read(...given);
  return comparisonsOf(conditions.tree).map((comparison) => conditionOf(comparison, conditions));
};

describe('conditionOf', () => {
  test('returns the text of a condition with its value now and at the opening', () => {
    const values = { [LEVEL]: 90.456, [PUMP]: 0 };
    expect(describeConditions({ all: [high, stands] }, [level(70), pump(0)], values)).toEqual([
      {
        words: 'Sump, Level is above 80 %',
        now: { text: '70 %', at: later, holds: false },
        opened: { text: '90.46 %', holds: true },
      },
      {
        words: 'Pump 1, Motor is standing',
        now: { text: 'standing', at: later, holds: true },
        opened: { text: 'standing', holds: true },
      },
    ]);
  });

  test('uses the value at the opening while the stored value is older, and adds decimals near the limit', () => {
    const before = '2026-03-02T07:59:58Z';
    expect(describeConditions({ all: [high] }, [level(20, before)], { [LEVEL]: 80.001 })[0]?.now).toEqual({
      text: '80.001 %',
      at: opened,
      holds: true,
    });
    expect(describeConditions({ all: [high] }, [level(90, before)], { [LEVEL]: 90 })[0]?.now?.at).toBe(before);
  });

  test('conditionsHold counts a comparison without a value as not met', () => {
    const holds = (...given: Parameters<typeof alarm>) => conditionsHold(alarm(...given));
    expect(holds({ all: [high, stands] }, [level(90), pump(0)])).toBe(true);
    expect(holds({ all: [high, stands] }, [level(70), pump(0)])).toBe(false);
    expect(holds({ all: [high, stands] }, [level(90), pump(null)])).toBe(false);
    expect(holds({ any: [high, stands] }, [level(90), pump(null)])).toBe(true);
  });

  test('returns null for unknown values and names a deleted data point', () => {
    expect(describeConditions({ any: [high, stands] }, [level(null)])).toEqual([
      { words: 'Sump, Level is above 80 %', now: null, opened: null },
      { words: 'a deleted data point is 0', now: null, opened: null },
    ]);
  });

  test('readConditions returns null for another kind of rule and for old records', () => {
    const none = { dateTime: opened, conditionDatapoints: { nodes: [] } };
    expect(readConditions({ ...none, criteria: { kind: 'limits', upper: 4 } })).toBeNull();
    expect(readConditions({ ...none, criteria: { kind: 'conditions', words: 'W' } })).toBeNull();
  });
});

describe('summarizeConditions', () => {
  const twice = { ...high, value: 95 };
  test.each<[string, object, ConditionPoint[], string, string, boolean]>([
    ['all of them hold', { all: [high, stands] }, [level(91), pump(0)], '2 of 2 met', 'both conditions', false],
    ['all but one hold', { all: [high, stands] }, [level(91), pump(1)], '1 of 2 met', 'both conditions', true],
    ['any is enough', { any: [high, twice, stands] }, [level(91), pump(1)], '1 of 3 met', 'any of 3 conditions', false],
    [
      'they are nested',
      { any: [{ all: [high, stands] }, twice] },
      [level(91), pump(0)],
      '2 of 3 met',
      '3 conditions',
      false,
    ],
    ['one value is unknown', { all: [high, stands] }, [level(70)], '0 of 2 met', 'both conditions', false],
    ['no value is known', { all: [high, stands] }, [], '', 'both conditions', false],
    ['there is a single number', { all: [{ any: [high] }] }, [level(91.25)], '91.25', 'above 80', false],
    ['there is a single state', { all: [stands] }, [pump(1)], 'running', '', true],
  ])('summarizes conditions when %s', (_title, conditions, points, value, limit, isInside) =>
    expect(summarizeConditions(alarm(conditions, points), 'en')).toMatchObject({ value, limit, isInside }),
  );

  test('returns one sentence for a single line', () => {
    const sentence = (points: ConditionPoint[]) =>
      summarizeConditions(alarm({ all: [high, stands] }, points), 'en')?.sentence;
    expect(sentence([level(91), pump(0)])).toBe('2 of 2 conditions met');
    expect(sentence([level(91), pump(1)])).toBe('1 of 2 conditions met');
    expect(sentence([])).toBe('both conditions');
  });

  test('returns the number and unit of a single numeric condition', () => {
    expect(summarizeConditions(alarm({ all: [high] }, [level(91.2567)]), 'en')).toMatchObject({
      number: 91.2567,
      unit: '%',
    });
    expect(summarizeConditions(alarm({ all: [stands] }, [pump(1)]))).toMatchObject({ number: null, unit: '' });
  });
});

test('draws each data point once with its limits, first those that met the conditions at the opening', () => {
  const conditions = { any: [high, { all: [stands, { ...high, operator: 'lessThanInclusive', value: 20 }] }] };
  const charts = conditionCharts(read(conditions, [level(10), pump(0)], { [LEVEL]: 50, [PUMP]: 0 }));
  expect(charts.map(({ name }) => name)).toEqual(['Sump, Level', 'Pump 1, Motor']);
  expect(charts[0]?.limits).toEqual([
    { side: 'high', word: '>', value: 80 },
    { side: 'low', word: '≤', value: 20 },
  ]);
  expect([10, 20, 50, 90].map((value) => charts[0]?.isOutside(value))).toEqual([true, true, false, true]);
  expect([charts[1]?.limits, charts[1]?.formatValue(0)]).toEqual([[], 'standing']);
  const first = conditionCharts(read({ any: [high, stands] }, [level(10), pump(0)], { [LEVEL]: 50, [PUMP]: 0 }));
  expect(first.map(({ name }) => name)).toEqual(['Pump 1, Motor', 'Sump, Level']);
});
