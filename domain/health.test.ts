import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotStart, slotsBetween } from './health.ts';

const at = (text: string) => new Date(text);

describe('slotStart', () => {
  test.each([
    ['2026-11-12T14:32:10Z', 1, '2026-11-12T14:00:00Z'],
    ['2026-11-12T14:00:00Z', 1, '2026-11-12T14:00:00Z'],
    ['2026-11-12T13:59:59.999Z', 1, '2026-11-12T13:00:00Z'],
    ['2026-11-12T14:32:10Z', 6, '2026-11-12T12:00:00Z'],
    ['2026-11-12T14:32:10Z', 24, '2026-11-12T00:00:00Z'],
    // 1 January 1970 was a Thursday, so slots of seven days start on a Thursday.
    ['2026-11-12T14:32:10Z', 168, '2026-11-12T00:00:00Z'],
    ['2026-11-11T14:32:10Z', 168, '2026-11-05T00:00:00Z'],
    ['1969-12-31T23:30:00Z', 1, '1969-12-31T23:00:00Z'],
  ])('%s in slots of %i h starts at %s', (time, hours, start) => {
    expect(slotStart(at(time), hours)).toEqual(at(start));
  });
});

describe('slotsBetween', () => {
  test.each([
    [1, '2026-11-12T00:00:00Z', '2026-11-13T00:00:00Z', 24],
    [1, '2026-11-12T00:00:00.001Z', '2026-11-13T00:00:00Z', 23],
    [1, '2026-11-12T00:00:00Z', '2026-11-13T00:00:00.001Z', 25],
    [6, '2026-11-12T00:30:00Z', '2026-11-12T06:00:00Z', 0],
    [6, '2026-11-12T00:30:00Z', '2026-11-12T06:00:01Z', 1],
    [24, '2026-08-17T00:00:00Z', '2026-08-24T00:00:00Z', 7],
    [5, '2026-08-17T00:00:00Z', '2026-08-24T00:00:00Z', 34],
    [1, '2026-11-13T00:00:00Z', '2026-11-12T00:00:00Z', 0],
  ])('%i h from %s to %s: %i', (hours, from, to, count) => {
    expect(slotsBetween(hours, at(from), at(to))).toBe(count);
  });

  test('counts slots that start in the range', () => {
    const moment = fc.date({ min: at('2025-01-01T00:00:00Z'), max: at('2025-02-01T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 168 }), moment, moment, (hours, from, to) => {
        const begins = new Set<number>();
        for (let time = from.getTime() - hours * 3_600_000; time <= to.getTime(); time += 1_800_000) {
          const start = slotStart(new Date(time), hours).getTime();
          if (start >= from.getTime() && start < to.getTime()) begins.add(start);
        }
        const last = slotStart(to, hours).getTime();
        if (last >= from.getTime() && last < to.getTime()) begins.add(last);
        expect(slotsBetween(hours, from, to)).toBe(begins.size);
      }),
    );
  });
});
