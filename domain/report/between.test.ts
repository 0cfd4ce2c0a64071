import { expect, test } from 'vitest';
import { narrowRange, readBetween, writeBetween } from './between.ts';
import { readRange } from './range.ts';

const [from, to] = [new Date('2026-03-02T05:40:00Z'), new Date('2026-03-02T06:30:00Z')];

test('reads what it writes', () => {
  expect(readBetween(writeBetween(from, to))).toEqual({ from, to });
});

test.each([
  undefined,
  '',
  '2026-03-02',
  'a/b',
  '2026-03-02T06:30:00Z/2026-03-02T05:40:00Z',
  '2026-03-02T05:40/x',
  `${writeBetween(from, to)}/x`,
])('returns undefined for %j', (text) => {
  expect(readBetween(text)).toBeUndefined();
});

test('narrows a range to the interval, and keeps a range outside of it', () => {
  const reading = readRange({ from: '2026-03-02', to: '2026-03-03' }, new Date('2026-04-01'), 'UTC');
  if (!reading.ok) throw new Error(reading.sentence);
  const { range } = reading;
  expect(narrowRange(range, { from, to })).toEqual({ ...range, from, to });
  expect(narrowRange(range, { from: new Date('2026-03-01T00:00:00Z'), to })).toEqual({ ...range, to });
  expect(narrowRange(range, { from: new Date('2026-02-01'), to: new Date('2026-02-02') })).toBe(range);
  expect(narrowRange(range, undefined)).toBe(range);
});
