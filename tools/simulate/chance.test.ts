import { describe, expect, test } from 'vitest';
import { activeSince, draw, keyOf, type Occasion, scatter } from './chance.ts';

const start = Date.UTC(2026, 10, 15);
const seconds = (count: number, step = 1) => Array.from({ length: count }, (_, index) => start + index * step * 1000);

describe('chance', () => {
  test('repeats, differs by every argument and is uniform', () => {
    expect(draw('a', 1)).toBe(draw('a', 1));
    expect(draw('a', 1)).not.toBe(draw('a', 2));
    expect(keyOf('ab', 'c')).not.toBe(keyOf('a', 'bc'));
    const draws = Array.from({ length: 10_000 }, (_, index) => draw('spread', index));
    const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length;
    expect(mean).toBeGreaterThan(0.48);
    expect(mean).toBeLessThan(0.52);
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
  });

  test('scatter stays within one and a half spreads', () => {
    const values = Array.from({ length: 1000 }, (_, index) => scatter(2, 'x', index));
    expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(3);
    expect(values.some((value) => value > 0) && values.some((value) => value < 0)).toBe(true);
  });
});

describe('an occasion', () => {
  const share = (occasion: Occasion, times: number[]) =>
    times.filter((time) => activeSince(occasion, time, 7, 15) !== undefined).length / times.length;

  test('by chance happens in the given share of the slots, for its duration', () => {
    const times = seconds(20_000, 10);
    expect(share({ chance: 0, slotSeconds: 100 }, times)).toBe(0);
    expect(share({ chance: 1, slotSeconds: 100 }, times)).toBe(1);
    expect(share({ chance: 0.3, slotSeconds: 100 }, times)).toBeCloseTo(0.3, 1);
    expect(share({ chance: 0.5, slotSeconds: 100, forSeconds: 20 }, times)).toBeCloseTo(0.1, 1);
  });

  test('by chance has one start within its slot', () => {
    const occasion = { chance: 1, slotSeconds: 3600, forSeconds: 600 };
    const starts = new Set(seconds(3600).map((time) => activeSince(occasion, time, 7, 15)));
    starts.delete(undefined);
    expect(starts.size).toBe(1);
    const [since] = [...starts] as number[];
    expect(activeSince(occasion, since! - 1, 7, 15)).toBeUndefined();
    expect(activeSince(occasion, since! + 599_999, 7, 15)).toBe(since);
    expect(activeSince(occasion, since! + 600_000, 7, 15)).toBeUndefined();
  });

  test.each([
    [0, start],
    [299, start],
    [300, undefined],
    [3599, undefined],
    [3600, start + 3_600_000],
  ])('by schedule, %i s after the hour', (after, since) => {
    expect(activeSince({ everySeconds: 3600, forSeconds: 300 }, start + after * 1000, 1, 15)).toBe(since);
  });

  test('between two moments, or from one on', () => {
    const from = '2026-11-15T00:10:00Z';
    expect(activeSince({ from }, start, 1, 15)).toBeUndefined();
    expect(activeSince({ from }, start + 10 * 86_400_000, 1, 15)).toBe(Date.parse(from));
    expect(activeSince({ from, to: '2026-11-15T00:20:00Z' }, start + 20 * 60_000, 1, 15)).toBeUndefined();
  });
});
