import { expect, test } from 'vitest';
import { assignServerTime, checkDeviceTime, MAX_CLOCK_AHEAD_MS } from './when.ts';

const now = Date.UTC(2026, 10, 15);
const day = 86_400_000;
const oldest = now - 400 * day;

test.each([
  ['no time at all', undefined, { time: now }],
  ['a moment ago', now - 1000, { time: now - 1000 }],
  ['five minutes ahead', now + 300_000, { time: now + 300_000 }],
  ['slightly more than five minutes ahead', now + 300_001, { time: now, mark: 'ahead' }],
  ['2099', Date.UTC(2099, 0, 1), { time: now, mark: 'ahead' }],
  ['1970', 0, { time: now, mark: 'clock-unset' }],
  ['the last moment of 2019', Date.UTC(2020, 0, 1) - 1, { time: now, mark: 'clock-unset' }],
  ['the first moment of 2020', Date.UTC(2020, 0, 1), { refused: 'too-old' }],
  ['the oldest time within the retention', oldest, { time: oldest }],
  ['slightly older than the retention', oldest - 1, { refused: 'too-old' }],
] as const)('%s', (_, deviceTime, expected) => expect(checkDeviceTime(deviceTime, now, oldest)).toEqual(expected));

test('never assigns the same time to two values of a channel', () => {
  expect(assignServerTime(now, Number.NEGATIVE_INFINITY)).toBe(now);
  expect(assignServerTime(now, now - 2)).toBe(now);
  expect(assignServerTime(now, now)).toBe(now + 1);
  expect(assignServerTime(now, now + 1)).toBe(now + 2);
  expect(assignServerTime(now, now + MAX_CLOCK_AHEAD_MS), 'the server’s clock was set back').toBe(now);
});
