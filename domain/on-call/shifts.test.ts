import { describe, expect, test } from 'vitest';
import { handoversBetween, layerNow, nextClockChange } from './changes.ts';
import { hoursBetween } from './hours.ts';
import { refuseOverride } from './refusals.ts';
import type { LayerHours, RotaLayer, RotaOverride } from './rota.ts';
import { gapsBetween, isConfirmed, onCallAt, shiftsBetween, shiftsOfPerson } from './shifts.ts';
import { swapChoices, swapOverrides } from './swap.ts';
import { lastHandoverDay, turnsFrom } from './turns.ts';
import { hoursWords, layerWords, spanWords } from './words.ts';

const person = (name: string, isActive = true) => ({ uuid: name.toLowerCase(), name, isActive });
const [ruth, lena, priya] = [person('Ruth'), person('Lena'), person('Priya')];
const at = (text: string) => Date.parse(`${text}Z`);
const nights: LayerHours = { weekdays: [1, 2, 3, 4, 5], from: '18:00', to: '08:00' };
const weekends: LayerHours = { weekdays: [6, 7], from: '00:00', to: '00:00' };

const weekly: RotaLayer = {
  ...{ uuid: 'layer', name: 'Primary', people: [ruth, lena, priya], turnHours: 168, firstDay: '2026-11-09' },
  ...{ handoverTime: '08:00', timeZone: 'Europe/London', hours: [], overrides: [] },
};
const override = (values: Partial<RotaOverride>): RotaOverride => ({
  ...{ uuid: 'o', startsAt: at('2026-11-14T08:00'), endsAt: at('2026-11-15T08:00') },
  ...{ off: null, cover: null, reason: '', ...values },
});
const shown = (layer: RotaLayer, from: string, until: string) =>
  shiftsBetween(layer, at(from), at(until)).map(
    ({ startsAt, endsAt, person: found }) =>
      `${new Date(startsAt).toISOString().slice(5, 16)} ${new Date(endsAt).toISOString().slice(5, 16)} ${found?.name ?? '-'}`,
  );

describe('turns', () => {
  test('hand over at the same time on the clock, so that a shift is an hour shorter or longer in London', () => {
    expect(shown({ ...weekly, firstDay: '2026-03-23' }, '2026-03-23T08:00', '2026-04-06T07:00')).toEqual([
      '03-23T08:00 03-30T07:00 Ruth',
      '03-30T07:00 04-06T07:00 Lena',
    ]);
    expect(shown({ ...weekly, firstDay: '2026-10-19' }, '2026-10-19T07:00', '2026-11-02T08:00')).toEqual([
      '10-19T07:00 10-26T08:00 Ruth',
      '10-26T08:00 11-02T08:00 Lena',
    ]);
  });

  test('hand over at the same time on the clock in New York, also within the hour that is skipped or repeated', () => {
    const daily = { ...weekly, turnHours: 24, timeZone: 'America/New_York', handoverTime: '02:30' };
    expect(shown({ ...daily, firstDay: '2026-03-07' }, '2026-03-07T07:30', '2026-03-09T06:30')).toEqual([
      '03-07T07:30 03-08T07:00 Ruth',
      '03-08T07:00 03-09T06:30 Lena',
    ]);
    const repeated = { ...daily, handoverTime: '01:30', firstDay: '2026-10-31' };
    expect(shown(repeated, '2026-10-31T05:30', '2026-11-02T06:30')).toEqual([
      '10-31T05:30 11-01T05:30 Ruth',
      '11-01T05:30 11-02T06:30 Lena',
    ]);
    // The clock shows 01:15 for the second time.
    expect(onCallAt(repeated, at('2026-11-01T06:15'))?.person).toEqual(lena);
  });

  test('extend into the past', () => {
    expect(onCallAt(weekly, at('2026-11-02T09:00'))?.person).toEqual(priya);
  });

  test('begin with the present turn after a change', () => {
    expect(turnsFrom(weekly, at('2026-11-17T12:00'))).toEqual({ people: [lena, priya, ruth], firstDay: '2026-11-16' });
    const values = { turnHours: 168, handoverTime: '18:00', timeZone: 'Europe/London' };
    expect(lastHandoverDay(values, 1, at('2026-11-16T17:59'))).toBe('2026-11-09');
    expect(lastHandoverDay(values, 1, at('2026-11-16T18:00'))).toBe('2026-11-16');
    expect(lastHandoverDay({ ...values, turnHours: 24 }, 1, at('2026-11-18T09:00'))).toBe('2026-11-17');
  });
});

describe('hours', () => {
  test('join nights and weekends from Friday evening to Monday morning', () => {
    const second = { ...weekly, hours: [nights, weekends] };
    expect(
      hoursBetween(second, at('2026-11-12T12:00'), at('2026-11-17T12:00')).map(({ startsAt, endsAt }) => [
        new Date(startsAt).toISOString().slice(5, 16),
        new Date(endsAt).toISOString().slice(5, 16),
      ]),
    ).toEqual([
      ['11-12T18:00', '11-13T08:00'],
      ['11-13T18:00', '11-16T08:00'],
      ['11-16T18:00', '11-17T08:00'],
    ]);
  });

  test('of one night end in the morning, and do not begin in the morning before', () => {
    const friday = { ...weekly, hours: [{ weekdays: [5], from: '22:00', to: '06:00' }] };
    expect(hoursBetween(friday, at('2026-11-12T12:00'), at('2026-11-15T12:00'))).toEqual([
      { startsAt: at('2026-11-13T22:00'), endsAt: at('2026-11-14T06:00') },
    ]);
  });

  test('cover a time twice that the clock shows twice', () => {
    const layer = { ...weekly, hours: [{ weekdays: [7], from: '01:00', to: '01:30' }] };
    expect(hoursBetween(layer, at('2026-10-24T00:00'), at('2026-10-26T00:00'))).toEqual([
      { startsAt: at('2026-10-25T00:00'), endsAt: at('2026-10-25T01:30') },
    ]);
  });
});

describe('overrides', () => {
  test('an absence without cover is a gap that names who is missing', () => {
    const layer = { ...weekly, overrides: [override({ off: ruth, reason: 'Leave' })] };
    expect(shown(layer, '2026-11-12T00:00', '2026-11-16T12:00')).toEqual([
      '11-12T00:00 11-14T08:00 Ruth',
      '11-14T08:00 11-15T08:00 -',
      '11-15T08:00 11-16T08:00 Ruth',
      '11-16T08:00 11-16T12:00 Lena',
    ]);
    const gaps = gapsBetween(layer, at('2026-11-12T00:00'), at('2026-11-20T00:00'));
    expect(gaps).toEqual([
      {
        ...{ startsAt: at('2026-11-14T08:00'), endsAt: at('2026-11-15T08:00') },
        ...{ missing: ruth, because: 'absent', reason: 'Leave' },
      },
    ]);
    const [gap] = gaps;
    const parts = [
      { startsAt: gap!.startsAt, endsAt: at('2026-11-14T20:00') },
      { startsAt: at('2026-11-14T20:00'), endsAt: gap!.endsAt },
    ];
    expect(isConfirmed(gap!, parts)).toBe(true);
    expect(isConfirmed(gap!, parts.slice(1))).toBe(false);
  });

  test('a cover takes all shifts, or those of one person only', () => {
    const period = { startsAt: at('2026-11-15T08:00'), endsAt: at('2026-11-17T08:00') };
    const everybody = { ...weekly, overrides: [override({ ...period, cover: priya })] };
    expect(shown(everybody, '2026-11-15T00:00', '2026-11-18T00:00')).toEqual([
      '11-15T00:00 11-15T08:00 Ruth',
      '11-15T08:00 11-16T08:00 Priya',
      '11-16T08:00 11-17T08:00 Priya',
      '11-17T08:00 11-18T00:00 Lena',
    ]);
    const one = { ...weekly, overrides: [override({ ...period, off: lena, cover: priya })] };
    expect(shown(one, '2026-11-15T00:00', '2026-11-18T00:00')).toEqual([
      '11-15T00:00 11-16T08:00 Ruth',
      '11-16T08:00 11-17T08:00 Priya',
      '11-17T08:00 11-18T00:00 Lena',
    ]);
  });

  test('a cover who is off as well is covered in turn, and nobody is on call if they cover each other', () => {
    const chain = [override({ off: ruth, cover: lena }), override({ uuid: 'p', off: lena, cover: priya })];
    expect(onCallAt({ ...weekly, overrides: chain }, at('2026-11-14T12:00'))?.person).toEqual(priya);
    const circle = [chain[0]!, override({ uuid: 'p', off: lena, cover: ruth })];
    expect(onCallAt({ ...weekly, overrides: circle }, at('2026-11-14T12:00'))?.person).toBeNull();
  });

  test('a cover closes the gap of an absence, in either order', () => {
    const absence = override({ off: ruth, reason: 'Leave' });
    const period = { startsAt: at('2026-11-14T08:00'), endsAt: at('2026-11-14T20:00') };
    const covers = [
      override({ ...period, uuid: 'c', off: ruth, cover: priya }),
      override({ ...period, uuid: 'c', cover: priya }),
    ];
    for (const cover of covers) {
      for (const overrides of [
        [absence, cover],
        [cover, absence],
      ]) {
        expect(shown({ ...weekly, overrides }, '2026-11-14T06:00', '2026-11-15T10:00')).toEqual([
          '11-14T06:00 11-14T08:00 Ruth',
          '11-14T08:00 11-14T20:00 Priya',
          '11-14T20:00 11-15T08:00 -',
          '11-15T08:00 11-15T10:00 Ruth',
        ]);
      }
      const now = at('2026-11-12T12:00');
      expect(refuseOverride({ ...weekly, overrides: [absence] }, cover, now)).toBeUndefined();
      expect(refuseOverride({ ...weekly, overrides: [cover] }, absence, now)).toBeUndefined();
      expect(refuseOverride({ ...weekly, overrides: [cover] }, cover, now)?.field).toBe('startsAt');
    }
    expect(refuseOverride({ ...weekly, overrides: [absence] }, absence, at('2026-11-12T12:00'))?.sentence).toBe(
      'Ruth is off already in this period (Leave). Choose another period, or delete that override.',
    );
  });

  test('a person who was disabled leaves a gap in a turn and in a cover', () => {
    const gone = person('Gone', false);
    const turns = { ...weekly, people: [gone, lena] };
    expect(onCallAt(turns, at('2026-11-12T12:00'))).toMatchObject({ person: null, because: 'inactive', planned: gone });
    const cover = { ...weekly, overrides: [override({ cover: gone })] };
    expect(gapsBetween(cover, at('2026-11-12T12:00'), at('2026-11-16T00:00'))).toMatchObject([
      { missing: gone, because: 'inactive' },
    ]);
  });
});

describe('handovers', () => {
  const layer = {
    ...weekly,
    handoverTime: '18:00',
    hours: [nights, weekends],
    overrides: [override({ off: ruth, reason: 'Leave' })],
  };

  test('list gaps and turns, and leave out the hours between two shifts of a person', () => {
    const found = handoversBetween(layer, at('2026-11-12T14:32'), at('2026-11-20T00:00'));
    expect(found.map((one) => [new Date(one.at).toISOString().slice(5, 16), one.from?.name, one.to?.name])).toEqual([
      ['11-14T08:00', 'Ruth', undefined],
      ['11-15T08:00', undefined, 'Ruth'],
      ['11-16T18:00', 'Ruth', 'Lena'],
    ]);
  });

  test('show who is next outside the hours, and until when somebody is on call', () => {
    const outside = layerNow(layer, at('2026-11-12T14:32'));
    expect(outside).toMatchObject({ current: null, next: { startsAt: at('2026-11-12T18:00'), person: ruth } });
    const inside = layerNow(layer, at('2026-11-12T19:00'));
    expect(inside).toMatchObject({ current: { person: ruth }, until: at('2026-11-13T08:00') });
    expect(inside.next).toMatchObject({ startsAt: at('2026-11-14T08:00'), person: null });
  });

  test('there is no next shift if one person is always on call', () => {
    expect(layerNow({ ...weekly, people: [ruth] }, at('2026-11-12T19:00'))).toMatchObject({ until: null, next: null });
  });
});

test('finds the next change of the clock', () => {
  expect(nextClockChange('Europe/London', at('2026-11-12T14:32'))).toEqual({
    at: at('2027-03-28T01:00'),
    forwardMs: 3_600_000,
  });
  expect(nextClockChange('Asia/Kolkata', at('2026-11-12T14:32'))).toBeUndefined();
});

describe('swaps', () => {
  const shift = { startsAt: at('2026-11-16T08:00'), endsAt: at('2026-11-23T08:00'), person: lena };

  test('offer the next shift of each colleague, and warn of two turns in a row', () => {
    expect(swapChoices(weekly, shift)).toEqual([
      {
        person: priya,
        back: {
          ...shiftsOfPerson(
            [{ uuid: 'r', name: 'R', layers: [weekly] }],
            'priya',
            at('2026-11-24T00:00'),
            at('2026-11-25T00:00'),
          ).map(({ rota: _, layer: __, ...rest }) => rest)[0],
        },
        daysInARow: 0,
      },
      { person: ruth, back: expect.objectContaining({ startsAt: at('2026-11-30T08:00') }), daysInARow: 14 },
    ]);
  });

  test('exchange two shifts', () => {
    const back = { startsAt: at('2026-11-23T08:00'), endsAt: at('2026-11-30T08:00') };
    const swapped = { ...weekly, overrides: swapOverrides(shift, back, lena, priya) };
    expect(shown(swapped, '2026-11-16T08:00', '2026-12-07T08:00')).toEqual([
      '11-16T08:00 11-23T08:00 Priya',
      '11-23T08:00 11-30T08:00 Lena',
      '11-30T08:00 12-07T08:00 Ruth',
    ]);
  });
});

test('describes layers, hours and lengths', () => {
  expect(layerWords(weekly)).toBe('weekly, handover Monday 08:00, around the clock');
  expect(layerWords({ ...weekly, turnHours: 12 })).toBe('every 12 hours, handover by the hour, around the clock');
  expect(hoursWords([nights, weekends])).toBe('nights and weekends');
  expect(hoursWords([{ weekdays: [1, 3], from: '06:00', to: '14:00' }])).toBe('Mon and Wed 06:00 to 14:00');
  expect([spanWords(321_480_000), spanWords(12_480_000), spanWords(90_000)]).toEqual([
    '3 d 17 h',
    '3 h 28 min',
    '2 min',
  ]);
});
