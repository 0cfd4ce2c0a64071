import { expect, test } from 'vitest';
import { emptyReason, previousRangeWriter } from './compare.ts';
import { type ReportRange, rangeBefore, readRange } from './range.ts';

const zone = 'Europe/Berlin';
const reading = readRange({ from: '2026-04-01', to: '2026-04-30' }, new Date('2026-05-01T10:00:00Z'), zone);
const range = (reading as { range: ReportRange }).range;
const before = rangeBefore(range, zone);
const written = (counted: number, since: string | null, isFuture = false) =>
  previousRangeWriter(
    { range, before, counted, since: since === null ? null : new Date(since), isFuture },
    zone,
    'en',
  )(String(counted));

test('writes "no site yet" for days before the first site', () => {
  expect(written(0, '2026-04-07T09:00:00Z')).toBe('The month before: no site yet');
  expect(written(0, null)).toBe('The month before: no site yet');
});

test('adds "since" if the first site was added in the previous period', () => {
  expect(written(0, '2026-03-07T09:00:00Z')).toBe('The month before 0, since 7 Mar');
  expect(written(3, '2026-03-07T09:00:00Z')).toBe('The month before 3, since 7 Mar');
});

test('writes the value alone if a site existed throughout, or if the count is from deleted sites', () => {
  expect(written(0, '2026-02-07T09:00:00Z')).toBe('The month before 0');
  expect(written(3, '2026-03-01T09:00:00Z')).toBe('The month before 3');
  expect(written(3, '2026-04-07T09:00:00Z')).toBe('The month before 3');
});

test('writes nothing for a future range', () => {
  expect(written(0, '2026-02-07T09:00:00Z', true)).toBe('');
  expect(written(0, null, true)).toBe('');
});

test('gives a reason for a future range and for one before the first site', () => {
  const why = (since: string | null, isFuture = false) =>
    emptyReason(range, { since: since === null ? null : new Date(since), isFuture }, zone);
  expect(why('2026-03-07T09:00:00Z', true)).toBe('These days are in the future.');
  expect(why('2026-04-30T22:00:00Z')).toBe('No site existed yet.');
  expect(why('2026-04-30T21:59:00Z')).toBe('');
  expect(why(null)).toBe('');
});
