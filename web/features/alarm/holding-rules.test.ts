import { describe, expect, test } from 'vitest';
import { heldOpenWords, isHeldOpen, pointsOutside, shownOf } from './holding-rules.ts';

const limits = { kind: 'limits', lower: null, upper: 4, clearLower: null, clearUpper: null, debounce: 0, unit: 'm' };
const own = (latestValue: number | null) => ({
  severity: 'critical',
  judgedBy: limits,
  dateTime: '2026-03-02T08:00:00Z',
  value: 5,
  datapoint: {
    ...{ latestValue, lastUpdated: '2026-03-02T09:00:00Z', uom: 'm', sensorType: 2, status: 2 },
    datapointTitleText: '',
  },
  site: null,
  conditionDatapoints: { nodes: [] },
});
const backup = {
  ...{
    ruleUuid: 'b',
    ruleName: 'Backup high',
    datapointUuid: 'backup',
    datapointName: 'Backup level',
    latestValue: 6.5,
    uom: 'm',
  },
  ...{ sensorType: 2, datapointTitleText: '', isClearing: false },
  judgedBy: { ...limits, upper: 6, debounce: 60 },
};
const held = (...nodes: Partial<typeof backup>[]) => ({
  otherHolders: { nodes: nodes.map((node) => ({ ...backup, ...node })) },
});

describe('an alarm that another rule keeps open', () => {
  test('is held until the value of that rule is back', () => {
    expect(isHeldOpen(held())).toBe(false);
    expect(isHeldOpen(held({}))).toBe(true);
    expect(isHeldOpen(held({ isClearing: true }))).toBe(false);
    expect(isHeldOpen(held({ isClearing: true }, {}))).toBe(true);
  });

  test('names the value that is still out', () => {
    expect(heldOpenWords(held(), 'en')).toBeNull();
    expect(heldOpenWords(held({ isClearing: true }), 'en')).toBeNull();
    expect(heldOpenWords(held({ isClearing: true }, {}), 'en')).toEqual({
      words: 'Backup level 6.5\u00a0m is still above 6\u00a0m.',
      afterwards: 'If readings stay outside, a new alarm opens after 1 minute.',
    });
  });

  test.each([
    ['of conditions', { judgedBy: { kind: 'conditions' } as never, datapointName: null as never }],
    ['whose stored value is older than what was judged', { latestValue: 2 }],
  ])('names the rule %s', (_, more) => {
    expect(heldOpenWords(held(more), 'en')?.words).toBe('The rule “Backup high” still keeps it open.');
  });

  test('shows its own value while that is out, and then the other', () => {
    const shown = (value: number, ...holders: Partial<typeof backup>[]) =>
      shownOf({ ...own(value), ...held(...holders) }).point?.latestValue;
    expect(shown(5, {})).toBe(5);
    expect(shown(3, {})).toBe(6.5);
    expect(shown(3, { isClearing: true })).toBe(3);
    expect(shown(3)).toBe(3);
  });

  test('is about the data points that are out now', () => {
    const points = (value: number, ...holders: Partial<typeof backup>[]) =>
      [...pointsOutside({ ...own(value), tocsinDatapointUuid: 'own', ...held(...holders) }).keys()].join();
    expect(points(5)).toBe('own');
    expect(points(5, {})).toBe('own,backup');
    expect(points(3, {})).toBe('backup');
    expect(points(3, { isClearing: true }), 'the last one is in alarm until it has stayed inside').toBe('own');
    expect(points(3)).toBe('own');
  });

  test('shows the value of the rule where a person had reported it first', () => {
    const reported = { ...own(null), judgedBy: null, datapoint: null, value: null, ...held({}) };
    expect(shownOf(reported).judged).toMatchObject({ kind: 'limits', upper: 6 });
    expect(shownOf(reported).point?.latestValue).toBe(6.5);
  });
});
