import { expect, test } from 'vitest';
import { intervalFactor, roundInterval } from './pace.ts';

test('keeps the intervals of a small plant, and limits a large one to 15 frames a second', () => {
  const few = Array.from({ length: 100 }, () => 3);
  expect(intervalFactor(few, [15, 30], undefined)).toBe(1);
  const many = Array.from({ length: 2250 }, () => 3);
  expect(intervalFactor(many, [15, 30], undefined)).toBe(10);
});

test.each([50, 500, 5000])('sends %i values a second in total if configured', (wanted) => {
  const channels = Array.from({ length: 400 }, (_, index) => 1 + (index % 4));
  const slower = intervalFactor(channels, [15, 30], wanted);
  const sent = channels.map((count, index) => {
    // Sensors with the same number of channels have intervals distributed evenly between 15 and 30 s.
    const drawn = 15 + (15 * (Math.floor(index / 4) + 0.5)) / 100;
    return count / roundInterval(drawn * slower);
  });
  const total = sent.reduce((sum, one) => sum + one, 0);
  expect(total / wanted).toBeGreaterThan(0.97);
  expect(total / wanted).toBeLessThan(1.03);
});

test('rounds an interval to seconds, or to milliseconds if it is short, and never to 0', () => {
  expect(roundInterval(17.4)).toBe(17);
  expect(roundInterval(1.23456)).toBe(1.235);
  expect(roundInterval(0.00001)).toBe(0.001);
});
