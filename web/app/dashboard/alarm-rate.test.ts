import { describe, expect, test } from 'vitest';
import { alarmRate } from './alarm-rate.ts';

const day = (counts: Record<number, number> = {}) => Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0);
const usualDays = Array.from({ length: 28 }, (_, index) => day({ 6: 2 + (index % 5), 12: 3 }));

describe('alarms of today against the usual range', () => {
  test('marks a busy hour, but not a usual one', () => {
    const rate = alarmRate([day({ 6: 11, 12: 3 }), ...usualDays], 14.5);
    expect(rate.hours[6]).toEqual({ hour: 6, opened: 11, low: 2, high: 6, unusual: true });
    expect(rate.hours[12]).toMatchObject({ opened: 3, unusual: false });
    expect(rate.busiest?.hour).toBe(6);
    expect(rate).toMatchObject({ today: 14, scale: 11 });
  });

  test('does not mark a single alarm in a quiet hour', () => {
    expect(alarmRate([day({ 3: 1 }), ...usualDays], 14).busiest).toBeNull();
  });

  test('returns null for future hours, not 0', () => {
    const { hours } = alarmRate([day(), ...usualDays], 14.5);
    expect(hours[14]?.opened).toBe(0);
    expect(hours[15]?.opened).toBeNull();
  });

  test('the usual count by now excludes future hours and the rest of this hour', () => {
    const always = Array.from({ length: 28 }, () => day({ 6: 4, 14: 6, 20: 50 }));
    expect(alarmRate([day(), ...always], 14.5).usualByNow).toBe(7);
  });

  test('has no usual range without history', () => {
    const rate = alarmRate([day({ 1: 1 })], 2);
    expect(rate).toMatchObject({ today: 1, usualByNow: 0, scale: 4 });
  });
});
