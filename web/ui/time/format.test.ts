import { describe, expect, test } from 'vitest';
import { formatAge, formatClock, formatDate, formatDay } from './format.ts';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('an age', () => {
  test.each([
    [0, '0 s'],
    [8 * S + 999, '8 s'],
    [59 * S, '59 s'],
    [MIN, '1 min'],
    [26 * MIN + 59 * S, '26 min'],
    [H, '1 h'],
    [H + 12 * MIN, '1 h 12 min'],
    [23 * H + 59 * MIN, '23 h 59 min'],
    [D, '1 d'],
    [D + 4 * H, '1 d 4 h'],
    [400 * D + 30 * MIN, '400 d'],
  ])('of %d ms reads %s', (age, text) => expect(plain(formatAge(age))).toBe(text));

  test('can wrap between its two parts, but not between a number and its unit', () => {
    expect(formatAge(D + 4 * H).split(' ')).toEqual(['1\u00a0d', '4\u00a0h']);
  });

  test('is never negative, even if the event is in the future', () => expect(plain(formatAge(-5 * S))).toBe('0 s'));
});

describe('an exact time', () => {
  const at = new Date('2026-11-12T14:06:02Z');

  test("uses the customer's time zone, not the browser's", () => {
    expect(formatClock(at, 'Europe/London', 'en-GB')).toBe('14:06:02 GMT');
    expect(formatClock(at, 'Asia/Tokyo', 'en-GB')).toMatch(/^23:06:02/);
  });

  test('names the day in that zone', () => {
    expect(formatDay(at, 'Europe/London', 'en-GB')).toBe('Thu 12 Nov 2026');
    expect(formatDay(new Date('2026-11-12T23:30:00Z'), 'Asia/Tokyo', 'en-GB')).toBe('Fri 13 Nov 2026');
  });

  test.each([
    ['en-GB', '12 Nov 2026', 'Thu 12 Nov 2026'],
    ['en-US', 'Nov 12, 2026', 'Thu Nov 12, 2026'],
    ['de-DE', '12. Nov. 2026', 'Do 12. Nov. 2026'],
  ])('writes the date as %s does: %s', (locale, date, withWeekday) => {
    expect(formatDate(at, 'Europe/London', {}, locale)).toBe(date);
    expect(formatDay(at, 'Europe/London', locale)).toBe(withWeekday);
  });

  test('writes midnight as 00, not 24', () => {
    expect(formatClock(new Date('2026-11-12T00:00:00Z'), 'Europe/London', 'en-GB')).toBe('00:00:00 GMT');
  });
});
