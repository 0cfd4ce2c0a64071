import { describe, expect, test } from 'vitest';
import { loadRows } from './load-rows.ts';
import { readRange } from './range.ts';

const NOW = new Date('2026-06-10T10:00:00Z');

function rowsOf(day: string, timeZone: string, alarmsAt: (at: Date) => number) {
  const reading = readRange({ from: day, to: day }, NOW, timeZone);
  if (!reading.ok) throw new Error(reading.sentence);
  const { from, to } = reading.range;
  const periods = (to.getTime() - from.getTime()) / 600_000;
  const load = Array.from({ length: periods }, (_, period) => alarmsAt(new Date(from.getTime() + period * 600_000)));
  return { periods, rows: loadRows(load, from, timeZone) };
}

describe('loadRows', () => {
  test('puts each ten minutes at its local time', () => {
    const { rows } = rowsOf('2026-06-08', 'Europe/London', (at) => (at.toISOString().includes('T04:40') ? 7 : 0));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ day: '2026-06-08', alarms: 7 });
    // 04:40 UTC is 05:40 in London in summer.
    expect(rows[0]?.slots.indexOf(7)).toBe(5 * 6 + 4);
  });

  test.each([
    ['Europe/London', '2026-03-29', 1],
    ['America/New_York', '2026-03-08', 2],
  ])('leaves the skipped hour empty in %s', (timeZone, day, hour) => {
    const { periods, rows } = rowsOf(day, timeZone, () => 1);
    expect(periods).toBe(138);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.alarms).toBe(138);
    const empty = rows[0]?.slots.flatMap((alarms, slot) => (alarms === 0 ? [slot] : []));
    expect(empty).toEqual([0, 1, 2, 3, 4, 5].map((slot) => hour * 6 + slot));
  });

  test.each([
    ['Europe/London', '2025-10-26', '2025-10-26T00:30:00.000Z', 1],
    ['America/New_York', '2025-11-02', '2025-11-02T05:30:00.000Z', 1],
  ])('shows the larger number of the repeated hour in %s', (timeZone, day, first, hour) => {
    const again = new Date(Date.parse(first) + 3_600_000).toISOString();
    const { periods, rows } = rowsOf(day, timeZone, (at) =>
      at.toISOString() === first ? 3 : at.toISOString() === again ? 5 : 0,
    );
    expect(periods).toBe(150);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.alarms).toBe(8);
    expect(rows[0]?.slots[hour * 6 + 3]).toBe(5);
  });
});
