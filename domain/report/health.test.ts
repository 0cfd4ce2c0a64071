import { describe, expect, test } from 'vitest';
import {
  countBelowTarget,
  formatShare,
  type HealthRow,
  heatLevel,
  isGapOpen,
  previousPeriodsWords,
  share,
  shareWords,
  sumRows,
  totalOf,
  worstFirst,
} from './health.ts';

const row = (name: string, received: number, expected = 100, today = 0): HealthRow => ({
  id: name,
  name,
  sites: 2,
  office: '',
  cells: [...Array.from({ length: 12 }, () => ({ received, expected })), { received: today, expected: expected && 4 }],
});

describe('a share', () => {
  test('is received divided by expected', () => expect(share({ received: 863, expected: 1000 })).toBeCloseTo(86.3));
  test('is null if nothing was expected', () => expect(share({ received: 0, expected: 0 })).toBeNull());
  test('is at most 100', () => expect(share({ received: 25, expected: 24 })).toBe(100));
});

test.each([
  [null, '–'],
  [100, '100'],
  [99.99, '99.9'],
  [86.34, '86.3'],
  [86.36, '86.4'],
  [0.01, '0.1'],
  [0, '0.0'],
])('formats %j per cent as %s', (percent, text) => expect(formatShare(percent)).toBe(text));

test.each([
  [null, 0],
  [100, 0],
  [97, 0],
  [96.96, 0],
  [96.94, 1],
  [93, 1],
  [92.9, 2],
  [85, 2],
  [84.9, 3],
  [65, 3],
  [64.9, 4],
  [0, 4],
])('gives %j per cent the heat level %d', (percent, heat) => expect(heatLevel(percent)).toBe(heat));

test('says why nothing was expected', () => {
  const [end, none] = [new Date('2026-03-02T00:00:00Z'), { received: 0, expected: 0 }];
  expect(shareWords({ received: 1, expected: 3 }, null, end)).toBe('33.3 %');
  expect(shareWords(none, null, end)).toBe('no site yet');
  expect(shareWords(none, end, end)).toBe('no site yet');
  expect(shareWords(none, new Date('2026-03-01T23:00:00Z'), end)).toBe('nothing expected yet');
});

test('is open if the last contact is known and not after its start', () => {
  const from = new Date('2026-03-02T00:00:00Z');
  expect(isGapOpen(from, new Date('2026-03-01T23:59:00Z'))).toBe(true);
  expect(isGapOpen(from, new Date('2026-03-02T08:00:00Z'))).toBe(false);
  expect(isGapOpen(from, null)).toBe(false);
});

test('does not count the row without a unit office, nor rows without expected data, as below target', () => {
  const none = { ...row('No unit office', 1), id: '' };
  expect(countBelowTarget([row('North', 96), row('South', 100, 100, 4), row('New', 0, 0), none])).toEqual({
    under: 1,
    of: 2,
  });
});

describe('rows', () => {
  test('are sorted worst first, then by name', () => {
    const rows = [row('Kelder', 99), row('Upper Fell', 91), row('Ashmoor', 99), row('New office', 0, 0)];
    expect(worstFirst(rows).map(({ name }) => name)).toEqual(['Upper Fell', 'Ashmoor', 'Kelder', 'New office']);
  });

  test('have the sum of twelve weeks and today as their total', () => {
    expect(totalOf(row('Kelder', 90, 100, 3))).toEqual({ received: 1083, expected: 1204 });
  });

  test('are compared with earlier ones only if those have at least half as much expected data', () => {
    const total = { received: 90, expected: 100 };
    const words = (expected: number) => previousPeriodsWords('week', total, { received: 49, expected }, '98.0 %');
    expect(words(50)).toBe('12 weeks before 98.0 %');
    expect(words(49)).toBe('12 weeks before: not enough data to compare');
    expect(words(0)).toBe('12 weeks before: no site yet');
  });

  test('add up to the total row', () => {
    const sum = sumRows([row('Kelder', 90, 100, 3), row('Ashmoor', 50, 50, 4)]);
    expect(sum.sites).toBe(4);
    expect(sum.cells[0]).toEqual({ received: 140, expected: 150 });
    expect(sum.cells[12]).toEqual({ received: 7, expected: 8 });
  });
});
