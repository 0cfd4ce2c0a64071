import { expect, test } from 'vitest';
import { exactDuration } from './exact-duration.ts';

test.each([
  [0, 'less than a second'],
  [999, 'less than a second'],
  [-5000, 'less than a second'],
  [1000, '1 second'],
  [60_000, '1 minute'],
  [260_000, '4 minutes 20 seconds'],
  [3_600_000, '1 hour'],
  [3_605_000, '1 hour'],
  [3_661_000, '1 hour 1 minute'],
  [90_061_000, '1 day 1 hour'],
  [7 * 86_400_000, '7 days'],
])('writes %d ms as %s', (milliseconds, text) => {
  expect(exactDuration(milliseconds)).toBe(text);
});
