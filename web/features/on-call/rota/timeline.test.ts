import { expect, test } from 'vitest';
import { shiftsBetween } from '../../../../domain/on-call/shifts.ts';
import { barText, handoverMarks, nowPart, overrideBars, shiftBars, timelineRange } from './timeline.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const person = (name: string) => ({ uuid: name, name, isActive: true });
const [ruth, lena] = [person('Ruth Adeyemi'), person('Lena Voss')];
const layer = {
  ...{ uuid: 'layer', name: 'Primary', people: [ruth, lena], turnHours: 168, firstDay: '2026-11-09' },
  ...{ handoverTime: '08:00', timeZone: 'Europe/London', hours: [] },
  overrides: [
    {
      ...{ uuid: 'o', startsAt: at('2026-11-14T08:00'), endsAt: at('2026-11-15T08:00') },
      ...{ off: ruth, cover: null, reason: 'leave' },
    },
  ],
};
const now = at('2026-11-12T14:32');
const range = timelineRange(new Date(now), 'Europe/London', 0);

test('shows two weeks from Monday, whose days follow the clock', () => {
  expect(new Date(range.from).toISOString()).toBe('2026-11-09T00:00:00.000Z');
  expect(range.days).toHaveLength(14);
  const spring = timelineRange(new Date(at('2026-03-25T12:00')), 'Europe/London', 0);
  expect(spring.until - spring.from).toBe((14 * 24 - 1) * 3_600_000);
  expect(timelineRange(new Date(now), 'Europe/London', -2).until).toBe(range.from);
});

test('places shifts without overlap, marks the present one and cuts those that go on', () => {
  const bars = shiftBars(shiftsBetween(layer, range.from, range.until), range, now, 'until Mon');
  expect(bars.map(({ name, kind, isNow, isPast }) => [name, kind, isNow, isPast])).toEqual([
    ['Lena Voss', 'shift', false, true],
    ['Ruth Adeyemi', 'shift', true, false],
    ['Gap', 'gap', false, false],
    ['Ruth Adeyemi', 'shift', false, false],
    ['Lena Voss', 'shift', false, false],
  ]);
  expect(bars.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100);
  expect(bars[1]).toMatchObject({ left: expect.closeTo(2.381, 3), note: 'until Mon' });
});

test('shortens a name to initials, and then to nothing', () => {
  const bar = shiftBars(shiftsBetween(layer, range.from, range.until), range, now, '')[1]!;
  expect([20, 5, 1].map((width) => barText({ ...bar, width }))).toEqual(['Ruth Adeyemi', 'RA', '']);
});

test('names who is off', () => {
  expect(overrideBars(layer.overrides, range, now)).toMatchObject([
    { kind: 'absence', name: 'Ruth off', note: 'leave' },
  ]);
});

test('joins the handovers of a day', () => {
  const times = [at('2026-11-16T18:00'), at('2026-11-16T08:00'), at('2026-11-30T08:00')];
  const marks = handoverMarks(times, range, (moment) => new Date(moment).toISOString().slice(11, 16));
  expect(marks).toEqual([{ at: times[1], left: expect.closeTo(52.381, 3), times: ['08:00', '18:00'] }]);
});

test('has no present time outside the range', () => {
  expect(nowPart(range, now)).toBeCloseTo(25.754, 3);
  expect(nowPart(range, range.until)).toBeUndefined();
});
