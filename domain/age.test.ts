import { expect, test } from 'vitest';
import { formatAge, formatBetween, formatSeconds } from './age.ts';

test.each([
  [null, '–'],
  [undefined, '–'],
  [-5, '0.0\u00a0s'],
  [0, '0.0\u00a0s'],
  [2.3, '2.3\u00a0s'],
  [9.94, '9.9\u00a0s'],
  [9.96, '9.9\u00a0s'],
  [10.4, '10\u00a0s'],
  [59.9, '59\u00a0s'],
  [75, '1\u00a0min 15\u00a0s'],
  [299.999_999_99, '5\u00a0min'],
  [418.9, '6\u00a0min 58\u00a0s'],
  [3599, '59\u00a0min 59\u00a0s'],
  [3700, '1\u00a0h 1\u00a0min'],
  [86_399, '23\u00a0h 59\u00a0min'],
  [93_599, '1\u00a0d 1\u00a0h'],
])('formats %s seconds as %s', (seconds, words) => expect(formatSeconds(seconds)).toBe(words));

test('truncates like formatAge, and can add a smaller unit', () => {
  for (let seconds = 10; seconds < 200_000; seconds += 37)
    expect(formatSeconds(seconds).startsWith(formatAge(seconds * 1000)), `${seconds} s`).toBe(true);
});

test('formats the time between two timestamps like formatSeconds', () => {
  expect(formatBetween('2026-01-14T10:00:00Z', '2026-01-14T10:06:58.900Z')).toBe('6\u00a0min 58\u00a0s');
});
