import { expect, test } from 'vitest';
import { formatMoment } from './date-time.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test("uses the customer's time zone", () => {
  const at = new Date('2026-11-12T23:06:02Z');
  expect(plain(formatMoment(at, 'Europe/London', 'en-GB'))).toBe('12 Nov 2026 23:06:02');
  expect(plain(formatMoment(at, 'Asia/Tokyo', 'en-GB'))).toBe('13 Nov 2026 08:06:02');
});

test('wraps only between the day and the time', () => {
  const at = new Date('2026-11-12T23:06:02Z');
  expect(formatMoment(at, 'Europe/London', 'en-GB').split(' ')).toHaveLength(2);
  expect(formatMoment(at, 'Europe/London', 'en-US').split(' ')).toHaveLength(2);
});
