import { expect, test } from 'vitest';
import { isComparable } from './compare.ts';

const march = { from: new Date('2026-03-01T00:00:00Z') };

test('nothing counted is no count of days before the plant was there', () => {
  expect(isComparable(0, march, new Date('2026-04-07T09:00:00Z'))).toBe(false);
  expect(isComparable(0, march, new Date('2026-03-07T09:00:00Z'))).toBe(false);
  expect(isComparable(0, march, null)).toBe(false);
});

test('nothing counted is a count of days in which the plant was there, and so is whatever was counted', () => {
  expect(isComparable(0, march, new Date('2026-02-07T09:00:00Z'))).toBe(true);
  expect(isComparable(3, march, new Date('2026-04-07T09:00:00Z'))).toBe(true);
});
