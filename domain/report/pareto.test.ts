import { expect, test } from 'vitest';
import { paretoOf } from './pareto.ts';

test('adds up shares from the most frequent reason', () => {
  expect(
    paretoOf([
      { reason: 'Test', alarms: 1 },
      { reason: null, alarms: 6 },
      { reason: 'Pump blocked', alarms: 3 },
    ]),
  ).toEqual([
    { name: 'No reason given', filter: 'none', alarms: 6, share: 60, cumulative: 60 },
    { name: 'Pump blocked', filter: 'Pump blocked', alarms: 3, share: 30, cumulative: 90 },
    { name: 'Test', filter: 'Test', alarms: 1, share: 10, cumulative: 100 },
  ]);
});

test('returns no rows without reasons', () => expect(paretoOf([])).toEqual([]));

test('combines the rarest reasons in the last row, without losing any', () => {
  const rows = Array.from({ length: 5 }, (_, index) => ({ reason: `Reason ${index}`, alarms: 10 - index }));
  const pareto = paretoOf(rows, 2);
  expect(pareto.map(({ name, alarms }) => [name, alarms])).toEqual([
    ['Reason 0', 10],
    ['Reason 1', 9],
    ['3 other reasons', 21],
  ]);
  expect(pareto.at(-1)?.cumulative).toBe(100);
  expect(pareto.map(({ filter: asked }) => asked)).toEqual(['Reason 0', 'Reason 1', null]);
});

test('sorts equally frequent reasons the same way for any input order', () => {
  const rows = ['Test', null, 'Pump blocked', 'Storm'].map((reason) => ({ reason, alarms: 2 }));
  const names = (given: typeof rows) => paretoOf(given).map(({ name }) => name);
  expect(names(rows)).toEqual(['Pump blocked', 'Storm', 'Test', 'No reason given']);
  expect(names(rows.toReversed())).toEqual(names(rows));
});
