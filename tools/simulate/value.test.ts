import { describe, expect, test } from 'vitest';
import type { ChannelPlan } from './plan.ts';
import { valueAt } from './value.ts';

const start = Date.UTC(2026, 10, 15);
const minute = 60_000;
const always = { from: '2026-01-01T00:00:00Z' };

function values(channel: Partial<ChannelPlan>, count = 60, key = 5): number[] {
  const plan: ChannelPlan = { channel: '1', kind: 'analog', ...channel };
  return Array.from({ length: count }, (_, index) => valueAt(plan, start + index * minute, { key, everySeconds: 60 }));
}

describe('a channel', () => {
  test.each([
    ['flat', { low: 10, high: 20 }, [15, 15, 15]],
    ['sawtooth', { curve: 'sawtooth', periodSeconds: 240, low: 0, high: 4 }, [0, 1, 2, 3, 0]],
    ['square', { curve: 'square', periodSeconds: 240, kind: 'digital' as const }, [0, 0, 1, 1, 0]],
    ['sine', { curve: 'sine', periodSeconds: 240, low: 0, high: 2 }, [0, 1, 2, 1, 0]],
  ])('%s', (_, channel, expected) => expect(values(channel, expected.length)).toEqual(expected));

  test('a counter only grows, at its pace', () => {
    const [first = 0, ...rest] = values({ kind: 'counter', perHour: 60 }, 4);
    expect(rest).toEqual([first + 1, first + 2, first + 3]);
  });

  test('wanders within its range without jumps', () => {
    const course = values({ curve: 'wander', periodSeconds: 3600, low: 0, high: 10 }, 600);
    expect(Math.min(...course)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...course)).toBeLessThanOrEqual(10);
    expect(Math.max(...course.slice(1).map((value, index) => Math.abs(value - course[index]!)))).toBeLessThan(0.5);
    expect(Math.max(...course) - Math.min(...course)).toBeGreaterThan(2);
  });

  test('has the same value for the same key and time, and another for another key', () => {
    expect(values({ noise: 1 })).toEqual(values({ noise: 1 }));
    expect(values({ noise: 1 }, 60, 6)).not.toEqual(values({ noise: 1 }));
  });

  test('scatters noise around the value, within its bounds and decimals', () => {
    const course = values({ low: 20, high: 20, noise: 1, decimals: 1 }, 500);
    expect(new Set(course).size).toBeGreaterThan(10);
    expect(Math.max(...course.map((value) => Math.abs(value - 20)))).toBeLessThanOrEqual(1.5);
    expect(course.every((value) => Number(value.toFixed(1)) === value)).toBe(true);
  });

  test('has its daily maximum at the given hour', () => {
    const course = values({ low: 0, high: 0, rhythm: { by: 5, peakHour: 18 } }, 24 * 60);
    expect(course.indexOf(Math.max(...course))).toBeCloseTo(18 * 60, -2);
    expect([Math.max(...course), Math.min(...course)]).toEqual([5, -5]);
  });

  test('drifts from the start of the occasion', () => {
    const when = { from: new Date(start + 10 * minute).toISOString() };
    const course = values({ low: 1, high: 1, drift: { perHour: 6, when } }, 31);
    expect([course[0], course[10], course[20], course[30]]).toEqual([1, 1, 2, 3]);
  });

  test('spikes to a value, at once or rising', () => {
    const when = { from: new Date(start + minute).toISOString(), to: new Date(start + 4 * minute).toISOString() };
    expect(values({ low: 1, high: 1, spikes: [{ to: 9, when }] }, 6)).toEqual([1, 9, 9, 9, 1, 1]);
    expect(values({ low: 1, high: 1, spikes: [{ to: 9, riseSeconds: 120, when }] }, 6)).toEqual([1, 1, 5, 9, 1, 1]);
    expect(values({ kind: 'digital', low: 0, high: 0, spikes: [{ to: 1, when }] }, 5)).toEqual([0, 1, 1, 1, 0]);
  });

  test('repeats a stuck value with its noise', () => {
    const course = values({ curve: 'sawtooth', noise: 0.5, stuck: { everySeconds: 1200, forSeconds: 600 } }, 20);
    expect(new Set(course.slice(0, 10)).size).toBe(1);
    expect(new Set(course.slice(10, 20)).size).toBeGreaterThan(5);
  });

  test('accepts further curves by name', () => {
    const plan: ChannelPlan = { channel: '1', kind: 'analog', curve: 'half', low: 0, high: 10, key: 3 };
    const curves = { half: (_time: number, key: number) => key / 6 };
    expect(valueAt(plan, start, { key: 1, everySeconds: 60, curves })).toBe(5);
    expect(values({ kind: 'digital', curve: 'flat', stuck: always }, 2)).toEqual([1, 1]);
  });
});
