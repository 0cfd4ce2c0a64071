import { describe, expect, test } from 'vitest';
import { durationOptions, endOf, endToSend, longestWords, suggestedEnd, timeProblem, UNTIL } from './shelve-time.ts';

const now = new Date('2026-11-12T14:32:00Z');

test('users can choose the durations up to their own maximum', () => {
  const labels = (hours: number) => durationOptions(hours).map(({ label }) => label);
  expect(labels(168)).toEqual(['15 min', '1 h', '4 h', '8 h', '24 h', 'Until…']);
  expect(labels(4)).toEqual(['15 min', '1 h', '4 h', 'Until…']);
});

describe('the end of a shelving', () => {
  test('is the duration after now', () =>
    expect(endOf({ duration: '60', until: '' }, now, 'UTC')).toEqual(new Date('2026-11-12T15:32:00Z')));

  test('is a time in the time zone of the plant, even on a day with a clock change', () => {
    const end = (until: string, zone: string) => endOf({ duration: UNTIL, until }, now, zone)?.toISOString();
    expect(end('2026-11-12T18:00', 'Europe/Berlin')).toBe('2026-11-12T17:00:00.000Z');
    expect(end('2027-03-28T12:00', 'Europe/London')).toBe('2027-03-28T11:00:00.000Z');
    expect(end('2026-11-01T12:00', 'America/New_York')).toBe('2026-11-01T17:00:00.000Z');
    expect(end('', 'UTC')).toBeUndefined();
  });

  test('is in the future and within the maximum', () => {
    const problem = (until: string) => timeProblem({ duration: UNTIL, until }, now, 'UTC', 24);
    for (const text of ['', 'T', '2026-11-12T', 'T18:00', '2026-02-31T18:00', '2026-11-12T24:00', 'TueT18:00'])
      expect(problem(text)).toBe('Choose the date and time at which the shelving ends.');
    expect(problem('2026-11-12T14:32')).toBe('The end is in the past. Choose a later time.');
    expect(problem('2026-11-13T14:32')).toBeNull();
    expect(problem('2026-11-13T14:34')).toBe('You may shelve for at most 24 hours.');
  });

  test('is sent as a duration, so that the clock of this computer does not matter, or as a time', () => {
    expect(endToSend({ duration: '240', until: '' }, now, 'UTC')).toEqual({ minutes: 240 });
    const until = '2026-11-12T18:00';
    expect(endToSend({ duration: UNTIL, until }, now, 'UTC')).toEqual({ until: '2026-11-12T18:00:00.000Z' });
    expect(endToSend({ duration: UNTIL, until: '' }, now, 'UTC')).toBeNull();
  });
});

test('the fields suggest a valid end in an hour', () => {
  for (const zone of ['Europe/London', 'America/New_York', 'UTC']) {
    const until = suggestedEnd(now, zone).join('T');
    expect(endOf({ duration: UNTIL, until }, now, zone)).toEqual(new Date('2026-11-12T15:32:00Z'));
  }
});

test.each([
  [1, '1 hour'],
  [24, '24 hours'],
  [36, '36 hours'],
  [168, '7 days'],
])('%s hours are written as %s', (hours, words) => expect(longestWords(hours)).toBe(words));
