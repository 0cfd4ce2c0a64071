import { expect, test } from 'vitest';
import { formatSeconds, formatWithin } from './age.ts';

test.each([
  [null, '–'],
  [undefined, '–'],
  [0, '0.0\u00a0s'],
  [9.94, '9.9\u00a0s'],
  [9.96, '9.9\u00a0s'],
  [10.4, '10\u00a0s'],
  [418, '6\u00a0min'],
  [75, '1\u00a0min'],
  [3700, '1\u00a0h 1\u00a0min'],
])('%s seconds read %s', (seconds, words) => expect(formatSeconds(seconds)).toBe(words));

test.each([
  [null, '–'],
  [0, '0.0\u00a0s'],
  [2, '2.0\u00a0s'],
  [2.01, '2.1\u00a0s'],
  [9.94, '10\u00a0s'],
  [10.4, '11\u00a0s'],
  [59.5, '1\u00a0min'],
  [300, '5\u00a0min'],
  [356, '6\u00a0min'],
  [826, '14\u00a0min'],
  [3599, '1\u00a0h'],
  [3700, '1\u00a0h 2\u00a0min'],
  [86_399, '1\u00a0d'],
  [90_001, '1\u00a0d 2\u00a0h'],
])('within %s seconds reads %s', (seconds, words) => expect(formatWithin(seconds)).toBe(words));
