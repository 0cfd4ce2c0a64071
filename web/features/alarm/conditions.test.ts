import { describe, expect, test } from 'vitest';
import { comparisonsOf } from '../../../domain/rule/conditions-tree.ts';
import {
  type ConditionPoint,
  type Conditions,
  conditionOf,
  conditionsHold,
  conditionsInShort,
  drawnOf,
  readConditions,
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
  judgedBy: {
    ...{ kind: 'conditions', words: 'W', measured: '', datapoints: [LEVEL, PUMP], values },
    ruleJson: JSON.stringify({ conditions, event: { type: 'alarm' } }),
  },
  conditionDatapoints: { nodes },
});
const read = (...given: Parameters<typeof alarm>) => readConditions(alarm(...given)) as Conditions;
const said = (...given: Parameters<typeof alarm>) => {
  const conditions = read(...given);
  return comparisonsOf(conditions.tree).map((comparison) => conditionOf(comparison, conditions));
};

describe('the conditions of an alarm', () => {
  test('say what they are, what is measured now and what was when it opened', () => {
    const values = { [LEVEL]: 90.456, [PUMP]: 0 };
    expect(said({ all: [high, stands] }, [level(70), pump(0)], values)).toEqual([
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

  test('know what the alarm measured while the stored value is older, and no value that is as near as to look the same', () => {
    const before = '2026-03-02T07:59:58Z';
    expect(said({ all: [high] }, [level(20, before)], { [LEVEL]: 80.001 })[0]?.now).toEqual({
      text: '80.001 %',
      at: opened,
      holds: true,
    });
    expect(said({ all: [high] }, [level(90, before)], { [LEVEL]: 90 })[0]?.now?.at).toBe(before);
  });

  test('are known to hold, or not to, or neither where a value is missing', () => {
    const holds = (...given: Parameters<typeof alarm>) => conditionsHold(alarm(...given));
    expect(holds({ all: [high, stands] }, [level(90), pump(0)])).toBe(true);
    expect(holds({ all: [high, stands] }, [level(70), pump(0)])).toBe(false);
    expect(holds({ all: [high, stands] }, [level(90), pump(null)])).toBe(false);
    expect(holds({ any: [high, stands] }, [level(90), pump(null)])).toBe(true);
  });

  test('say what is not known, and that a data point is gone', () => {
    expect(said({ any: [high, stands] }, [level(null)])).toEqual([
      { words: 'Sump, Level is above 80 %', now: null, opened: null },
      { words: 'a data point that is gone is 0', now: null, opened: null },
    ]);
  });

  test('are not there where another rule judged, or their record is older than the rule in it', () => {
    const none = { dateTime: opened, conditionDatapoints: { nodes: [] } };
    expect(readConditions({ ...none, judgedBy: { kind: 'limits', upper: 4 } })).toBeNull();
    expect(readConditions({ ...none, judgedBy: { kind: 'conditions', words: 'W' } })).toBeNull();
  });
});

describe('in short', () => {
  const twice = { ...high, value: 95 };
  test.each<[string, object, ConditionPoint[], string, string, boolean]>([
    ['all', { all: [high, stands] }, [level(91), pump(0)], '2 of 2 hold', 'both conditions', false],
    ['all but one', { all: [high, stands] }, [level(91), pump(1)], '1 of 2 holds', 'both conditions', true],
    ['any', { any: [high, twice, stands] }, [level(91), pump(1)], '1 of 3 holds', 'any of 3 conditions', false],
    ['groups', { any: [{ all: [high, stands] }, twice] }, [level(91), pump(0)], '2 of 3 hold', '3 conditions', false],
    ['what is not known', { all: [high, stands] }, [level(70)], '0 of 2 hold', 'both conditions', false],
    ['what nobody knows', { all: [high, stands] }, [], '', 'both conditions', false],
    ['a single one', { all: [{ any: [high] }] }, [level(91.25)], '91.25', 'above 80', false],
    ['a single state', { all: [stands] }, [pump(1)], 'running', '', true],
  ])('%s', (_title, conditions, points, value, limit, isInside) =>
    expect(conditionsInShort(alarm(conditions, points), 'en')).toMatchObject({ value, limit, isInside }),
  );

  test('where they stand in one line, the words make one sentence', () => {
    const together = (points: ConditionPoint[]) =>
      conditionsInShort(alarm({ all: [high, stands] }, points), 'en')?.together;
    expect(together([level(91), pump(0)])).toBe('2 of 2 conditions hold');
    expect(together([level(91), pump(1)])).toBe('1 of 2 conditions holds');
    expect(together([])).toBe('both conditions');
  });

  test('a single one about a number has it as one, with its unit', () => {
    expect(conditionsInShort(alarm({ all: [high] }, [level(91.2567)]), 'en')).toMatchObject({
      number: 91.2567,
      unit: '%',
    });
    expect(conditionsInShort(alarm({ all: [stands] }, [pump(1)]))).toMatchObject({ number: null, unit: '' });
  });
});

test('those are drawn first by which it held, each once with its limits and what is out', () => {
  const conditions = { any: [high, { all: [stands, { ...high, operator: 'lessThanInclusive', value: 20 }] }] };
  const drawn = drawnOf(read(conditions, [level(10), pump(0)], { [LEVEL]: 50, [PUMP]: 0 }));
  expect(drawn.map(({ name }) => name)).toEqual(['Sump, Level', 'Pump 1, Motor']);
  expect(drawn[0]?.limits).toEqual([
    { side: 'high', word: '>', value: 80 },
    { side: 'low', word: '≤', value: 20 },
  ]);
  expect([10, 20, 50, 90].map((value) => drawn[0]?.isOutside(value))).toEqual([true, true, false, true]);
  expect([drawn[1]?.limits, drawn[1]?.wordOf(0)]).toEqual([[], 'standing']);
  const first = drawnOf(read({ any: [high, stands] }, [level(10), pump(0)], { [LEVEL]: 50, [PUMP]: 0 }));
  expect(first.map(({ name }) => name)).toEqual(['Pump 1, Motor', 'Sump, Level']);
});
