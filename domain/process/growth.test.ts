import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growthOf, type Size } from './growth.ts';

const DAY = 86_400_000;
const GB = 1e9;
const size = (day: number, gigabytes: number, free: number | null = null): Size => ({
  at: day * DAY,
  bytes: gigabytes * GB,
  freeBytes: free === null ? null : free * GB,
});

test('needs sizes that span at least a day', () => {
  expect(growthOf([])).toEqual({ known: false, because: 'too-short' });
  expect(growthOf([size(0, 1)])).toEqual({ known: false, because: 'too-short' });
  expect(growthOf([size(0, 1), size(0.9, 2)])).toEqual({ known: false, because: 'too-short' });
});

test('returns the mean growth and the day on which the disk is full', () => {
  const growth = growthOf([size(0, 100, 400), size(10, 150, 350), size(20, 120, 380)]);
  expect(growth).toEqual({ known: true, bytesPerDay: GB, days: 20, full: { at: 400 * DAY, inDays: 380 } });
});

test('says why the day on which the disk is full is unknown', () => {
  expect(growthOf([size(0, 1), size(2, 2)])).toMatchObject({ full: { because: 'unknown-disk' } });
  expect(growthOf([size(0, 2, 5), size(2, 2, 5)])).toMatchObject({ full: { because: 'not-growing' } });
  expect(growthOf([size(0, 3, 5), size(2, 2, 6)])).toMatchObject({ full: { because: 'not-growing' } });
});

test('reports a full disk even if the database does not grow', () => {
  expect(growthOf([size(0, 2, 1), size(2, 2, 0)])).toMatchObject({ full: { inDays: 0, at: 2 * DAY } });
});

test('the growth until the returned day equals the free space', () => {
  const sizes = fc.record({
    first: fc.integer({ min: 1, max: 1e12 }),
    grown: fc.integer({ min: 1, max: 1e12 }),
    free: fc.integer({ min: 1, max: 1e12 }),
    days: fc.double({ min: 1, max: 84, noNaN: true }),
  });
  fc.assert(
    fc.property(sizes, ({ first, grown, free, days }) => {
      const last = first + grown;
      const growth = growthOf([
        { at: 0, bytes: first, freeBytes: null },
        { at: days * DAY, bytes: last, freeBytes: free },
      ]);
      if (!growth.known || !('inDays' in growth.full)) throw new Error('A growing database on a known disk has a day.');
      expect(growth.bytesPerDay * growth.full.inDays).toBeCloseTo(free, -3);
      expect(growth.full.at).toBeGreaterThan(days * DAY);
    }),
  );
});
