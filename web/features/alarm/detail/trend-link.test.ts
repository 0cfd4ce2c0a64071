import { expect, test } from 'vitest';
import { MOST_POINTS } from '../../trend/trend-address.ts';
import { trendAround, windowAround } from './trend-link.ts';

const HOUR = 3_600_000;
const at = (hour: number) => new Date(hour * HOUR).toISOString();
const alarm = (began: number, opened: number, over: number | null) => ({
  dateTime: at(opened),
  pendingSince: at(began),
  resolvedDate: over === null ? null : at(over),
});

test('the window of a past alarm starts before the value went outside and ends after the resolution', () => {
  expect(windowAround(alarm(10, 11, 14), 100 * HOUR)).toEqual({ from: 9 * HOUR, to: 15 * HOUR });
});

test('the margin is at least half an hour and at most a day', () => {
  expect(windowAround(alarm(10, 10, 10), 100 * HOUR)).toEqual({ from: 9.5 * HOUR, to: 10.5 * HOUR });
  expect(windowAround(alarm(100, 100, 400), 900 * HOUR)).toEqual({ from: 76 * HOUR, to: 424 * HOUR });
});

test('the window of an open or just resolved alarm ends now', () => {
  expect(windowAround(alarm(10, 10, null), 14 * HOUR)).toEqual({ from: 9 * HOUR, to: 14 * HOUR });
  expect(windowAround(alarm(10, 10, 14), 14.1 * HOUR)).toEqual({ from: 9 * HOUR, to: 14.1 * HOUR });
});

test('the address has the time window and at most as many data points as a trend can show', () => {
  expect(trendAround(alarm(10, 11, 14), ['p'], 100 * HOUR)).toMatchObject({ points: 'p', from: at(9), to: at(15) });
  const many = Array.from({ length: 50 }, (_, index) => `p${index}`);
  expect(trendAround(alarm(10, 11, 14), many, 100 * HOUR).points?.split(',')).toEqual(many.slice(0, MOST_POINTS));
});
