import { expect, test } from 'vitest';
import { formatMoment } from './moment.ts';

test("is in the customer's zone, each zone by itself", () => {
  const at = new Date('2026-11-12T23:06:02Z');
  expect(formatMoment(at, 'Europe/London', 'en-GB')).toBe('12 Nov 2026, 23:06:02');
  expect(formatMoment(at, 'Asia/Tokyo', 'en-GB')).toBe('13 Nov 2026, 08:06:02');
});
