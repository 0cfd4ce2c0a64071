import { expect, test } from 'vitest';
import { rangeBefore, rangeOfDays } from './log-range.ts';

const noon = new Date('2026-11-12T12:00:00Z');

test.each([
  ['1h', '2026-11-12T11:00:00.000Z'],
  ['24h', '2026-11-11T12:00:00.000Z'],
  ['7d', '2026-11-05T12:00:00.000Z'],
] as const)('%s before noon begins at %s', (range, from) => {
  expect(rangeBefore(noon, range).from.toISOString()).toBe(from);
});

test('includes a frame from a clock five minutes ahead', () => {
  expect(rangeBefore(noon, '1h').to.toISOString()).toBe('2026-11-12T12:05:00.000Z');
});

test("covers whole days of the plant's time zone", () => {
  const span = rangeOfDays('2026-03-28', '2026-03-29', 'Europe/Berlin');
  expect(span?.from.toISOString()).toBe('2026-03-27T23:00:00.000Z');
  // The second day has 23 hours, because the clocks go forward.
  expect(span?.to.toISOString()).toBe('2026-03-29T22:00:00.000Z');
});

test('finds the day in zones where noon UTC is another day', () => {
  expect(rangeOfDays('2026-11-12', '2026-11-12', 'Pacific/Kiritimati')?.from.toISOString()).toBe(
    '2026-11-11T10:00:00.000Z',
  );
});

test('returns undefined for an invalid range', () => {
  expect(rangeOfDays('2026-11-12', '2026-11-11', 'UTC')).toBeUndefined();
  expect(rangeOfDays('', '2026-11-11', 'UTC')).toBeUndefined();
  expect(rangeOfDays('2026-02-31', '2026-13-40', 'UTC')).toBeUndefined();
});
