import { describe, expect, test } from 'vitest';
import { datapointsOutside, heldOpenWords, isHeldOpen, shownReading } from './holding-rules.ts';

const limits = { kind: 'limits', lower: null, upper: 4, clearLower: null, clearUpper: null, debounce: 0, unit: 'm' };
const own = (latestValue: number | null) => ({
  severity: 'critical',
  criteria: limits,
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
  criteria: { ...limits, upper: 6, debounce: 60 },
};
const held = (...nodes: Partial<typeof backup>[]) => ({
  otherHolders: { nodes: nodes.map((node) => ({ ...backup, ...node })) },
});

describe('an alarm that another rule keeps open', () => {
  test('is held open until the value of that rule is back inside', () => {
    expect(isHeldOpen(held())).toBe(false);
    expect(isHeldOpen(held({}))).toBe(true);
    expect(isHeldOpen(held({ isClearing: true }))).toBe(false);
    expect(isHeldOpen(held({ isClearing: true }, {}))).toBe(true);
  });

  test('names the value that is still outside', () => {
    expect(heldOpenWords(held(), 'en')).toBeNull();
    expect(heldOpenWords(held({ isClearing: true }), 'en')).toBeNull();
    expect(heldOpenWords(held({ isClearing: true }, {}), 'en')).toEqual({
      words: 'Backup level 6.5\u00a0m is still above 6\u00a0m.',
      afterwards: 'If the value stays in the alarm range, a new alarm opens after 1 minute.',
    });
  });

  test.each([
    ['with conditions', { criteria: { kind: 'conditions' } as never, datapointName: null as never }],
    ['whose stored value is older than the evaluated one', { latestValue: 2 }],
  ])('names the rule %s', (_, more) => {
    expect(heldOpenWords(held(more), 'en')?.words).toBe('The rule “Backup high” still keeps the alarm open.');
  });

  test('shows its own value while that is outside, then the value of the other rule', () => {
    const shown = (value: number, ...holders: Partial<typeof backup>[]) =>
      shownReading({ ...own(value), ...held(...holders) }).point?.latestValue;
    expect(shown(5, {})).toBe(5);
    expect(shown(3, {})).toBe(6.5);
    expect(shown(3, { isClearing: true })).toBe(3);
    expect(shown(3)).toBe(3);
  });

  test('returns the data points that are outside now', () => {
    const points = (value: number, ...holders: Partial<typeof backup>[]) =>
      [...datapointsOutside({ ...own(value), tocsinDatapointUuid: 'own', ...held(...holders) }).keys()].join();
    expect(points(5)).toBe('own');
    expect(points(5, {})).toBe('own,backup');
    expect(points(3, {})).toBe('backup');
    expect(points(3, { isClearing: true }), 'the last one is in alarm until it has stayed inside').toBe('own');
    expect(points(3)).toBe('own');
  });

  test('shows the value of the rule if a person reported the alarm first', () => {
    const reported = { ...own(null), criteria: null, datapoint: null, value: null, ...held({}) };
    expect(shownReading(reported).criteria).toMatchObject({ kind: 'limits', upper: 6 });
    expect(shownReading(reported).point?.latestValue).toBe(6.5);
  });
});
