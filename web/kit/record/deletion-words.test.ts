import { expect, test } from 'vitest';
import { deletionWords } from './deletion-words.ts';

test('lists what is deleted and what stays', () => {
  expect(
    deletionWords([
      { noun: 'asset', rows: 3, stays: false },
      { noun: 'rule', rows: 1, stays: false },
      { noun: 'alarm', rows: 1200, stays: true },
      { noun: 'open_alarm', rows: 1, stays: true },
    ]),
  ).toEqual({
    goes: ['3 assets', '1 rule'],
    stays: [`${(1200).toLocaleString()} alarms stay in the log`, '1 open alarm is resolved'],
  });
});
