import { describe, expect, test } from 'vitest';
import { asked, freshFor, panned, sound, windowOf, zoomed } from './time-window.ts';

const HOUR = 3_600_000;
const now = Date.parse('2026-03-02T12:00:00Z');
const day = { from: now - 24 * HOUR, to: now };
const length = ({ from, to }: { from: number; to: number }) => to - from;

describe('a window', () => {
  test('ends now while it follows the clock', () => {
    expect(windowOf({ follow: true, span: '24h' }, now)).toEqual(day);
    expect(windowOf({ follow: false, window: { from: 1, to: 2 } }, now)).toEqual({ from: 1, to: 2 });
  });

  test('zooms around the moment under the pointer', () => {
    const anchor = now - 6 * HOUR;
    const closer = zoomed(day, 0.5, anchor, now);
    expect(length(closer)).toBe(12 * HOUR);
    expect((anchor - closer.from) / length(closer)).toBeCloseTo((anchor - day.from) / length(day));
  });

  test('has a shortest and a longest length', () => {
    const tiny = { from: now - 10_000, to: now };
    expect(zoomed(tiny, 0.5, now - 5000, now)).toEqual(tiny);
    const huge = { from: now - 5 * 366 * 24 * HOUR, to: now };
    expect(length(zoomed(huge, 2, now, now))).toBe(length(huge));
  });

  test('pans, but not into the future', () => {
    expect(panned(day, -0.5, now)).toEqual({ from: day.from - 12 * HOUR, to: day.to - 12 * HOUR });
    const ahead = panned(day, 3, now);
    expect(length(ahead)).toBe(length(day));
    expect(ahead.to).toBe(now + 2.4 * HOUR);
  });

  test('from the URL is corrected', () => {
    expect(length(sound({ from: now, to: now - HOUR }, now))).toBe(10_000);
    expect(sound({ from: now + 50 * HOUR, to: now + 60 * HOUR }, now).to).toBe(now + HOUR);
  });
});

describe('the fetched range', () => {
  test('covers the window and a margin, and stays the same after a small move', () => {
    const past = { from: now - 48 * HOUR, to: now - 24 * HOUR };
    const question = asked(past, now);
    expect(question.from).toBeLessThan(past.from);
    expect(question.to).toBeGreaterThan(past.to);
    expect(length(question)).toBeLessThan(length(past) * 1.4);
    expect(asked({ from: past.from + 60_000, to: past.to + 60_000 }, now)).toEqual(question);
  });

  test('does not extend beyond the present', () => {
    expect(asked(day, now).to).toBeLessThan(now + HOUR);
  });

  test('is refreshed sooner for a shorter window', () => {
    expect(freshFor('1h')).toBe(10_000);
    expect(freshFor('30d')).toBe(60_000);
  });
});
