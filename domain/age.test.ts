import { expect, test } from 'vitest';
import { formatSeconds } from './age.ts';

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
