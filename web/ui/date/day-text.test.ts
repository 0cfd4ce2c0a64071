import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDay, readDay, readTime, writeDay } from './day-text.ts';

describe('a day', () => {
  test.each([
    ['en-GB', '17/11/2026'],
    ['en-US', '11/17/2026'],
    ['de-DE', '17.11.2026'],
    ['sv-SE', '2026-11-17'],
    ['nl-NL', '17-11-2026'],
  ])('is written in numbers as %s does: %s', (locale, text) => {
    expect(writeDay('2026-11-17', locale)).toBe(text);
  });

  test.each([
    ['en-GB', '1/2/2027', '2027-02-01'],
    ['en-US', '1/2/2027', '2027-01-02'],
    ['de-DE', '1.2.27', '2027-02-01'],
    ['en-GB', '01022027', '2027-02-01'],
    ['en-US', '01022027', '2027-01-02'],
    ['en-GB', ' 1 2 2027 ', '2027-02-01'],
    ['en-US', '2027-02-01', '2027-02-01'],
  ])('is read in the order of %s: %s', (locale, text, day) => {
    expect(readDay(text, locale)).toBe(day);
  });

  test.each(['', '17', '17/11', '31/02/2027', '0/1/2027', '17/11/20267', '1/1/0999', '17 Nov 2026', 'x17/11/2026'])(
    'is not read from %j',
    (text) => {
      expect(readDay(text, 'en-GB')).toBeNull();
    },
  );

  test('is read as it is written, in every locale', () => {
    const days = fc.integer({ min: 0, max: 40_000 }).map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
    const locales = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'bg-BG', 'ko-KR', 'ja-JP', 'hu-HU', 'ar-EG', 'fa-IR', 'th-TH'];
    fc.assert(
      fc.property(days, fc.constantFrom(...locales), (day, locale) => {
        expect(isDay(day)).toBe(true);
        expect(readDay(writeDay(day, locale), locale)).toBe(day);
      }),
    );
  });
});

describe('a time', () => {
  test.each([
    ['8', '08:00'],
    ['8:05', '08:05'],
    ['08.30', '08:30'],
    ['1745', '17:45'],
    ['8 am', '08:00'],
    ['12 am', '00:00'],
    ['8:30 p.m.', '20:30'],
    ['0:00', '00:00'],
  ])('is read from %j as %s', (text, time) => {
    expect(readTime(text)).toBe(time);
  });

  test.each(['', '24:00', '8:60', '13 pm', '8:5', 'noon', '8 m', '123456'])('is not read from %j', (text) => {
    expect(readTime(text)).toBeNull();
  });
});
