import { expect, test } from 'vitest';
import { inputOf, lengthOf, newWindow, problemsOf, type WindowValues } from './window-values.ts';

const ZONE = 'Europe/London';
const NOW = new Date('2026-11-12T14:32:00Z');
const site = { value: 'uuid', label: 'Mill' };
const values: WindowValues = { ...newWindow(NOW, ZONE), name: 'Service', targetUuid: site };
const problems = (change: Partial<WindowValues>) => problemsOf({ ...values, ...change }, ZONE, NOW.getTime());

test('a new window is tomorrow morning, and needs a name and an object', () => {
  const empty = newWindow(NOW, ZONE);
  expect(empty).toMatchObject({
    firstDay: '2026-11-13',
    endDay: '2026-11-13',
    weekday: '5',
    week: '2',
    dayOfMonth: '13',
  });
  expect(problemsOf(empty, ZONE, NOW.getTime())).toEqual({ name: 'Enter a name.', targetUuid: 'Choose a site.' });
  expect(problems({})).toEqual({});
});

test('problems are shown at the fields of the form', () => {
  expect(problems({ toTime: '08:00' })).toEqual({ toTime: 'The end is not after the start. Choose a later end.' });
  expect(problems({ endDay: '2026-11-12' })).toMatchObject({
    endDay: 'The end is not after the start. Choose a later day.',
  });
  expect(problems({ endDay: '2028-11-12' })).toMatchObject({ endDay: expect.stringContaining('at most 366 days') });
  expect(problems({ repeats: 'monthly-day', dayOfMonth: '' })).toMatchObject({
    dayOfMonth: 'Choose a day of the month from 1 to 31.',
  });
});

test('a day or time that cannot be read gets an instruction', () => {
  const example = expect.stringMatching(/^Enter a date, such as \d+/);
  expect(problems({ endDay: '' })).toEqual({ endDay: example });
  expect(problems({ firstDay: '31/02/2027', endDay: 'soon' })).toEqual({ firstDay: example, endDay: example });
  expect(problems({ repeats: 'weekly', lastDay: '2027-02-31' })).toEqual({ lastDay: example });
  expect(problems({ repeats: 'weekly', lastDay: '', endDay: '' })).toEqual({});
  const time = { toTime: 'Enter a time, such as 12:00.' };
  expect(problems({ toTime: '' })).toEqual(time);
  expect(problems({ firstDay: '', toTime: 'noon' })).toEqual({ firstDay: example, ...time });
  expect(problems({ firstDay: '', repeats: 'monthly-day', dayOfMonth: '' })).toMatchObject({
    ...{ firstDay: example, dayOfMonth: expect.stringMatching(/^Choose a day/) },
  });
});

test('the length of an occurrence is shown by the clock', () => {
  const lengthWith = (change: Partial<WindowValues>) => lengthOf({ ...values, ...change }).replace(/\u00a0/g, ' ');
  expect(lengthWith({})).toBe('4 h');
  expect(lengthWith({ endDay: '2026-11-14', toTime: '13:30' })).toBe('1 d 5 h');
  expect(lengthWith({ toTime: '08:00' })).toBe('');
  expect(lengthWith({ toTime: 'noon' })).toBe('');
});

test('only the fields of the chosen recurrence are sent', () => {
  expect(inputOf({ ...values, endDay: '2026-11-15', lastDay: '2027-01-01' }, undefined)).toEqual({
    ...{ name: 'Service', scope: 'site', targetUuid: 'uuid', suppresses: 'notifications', repeats: 'once' },
    ...{ firstDay: '2026-11-13', lastDay: null, fromTime: '08:00', toTime: '12:00', days: 2 },
    ...{ weekday: null, week: null, dayOfMonth: null },
  });
  expect(inputOf({ ...values, repeats: 'monthly-weekday', days: '1', lastDay: '2027-01-01' }, 'window')).toMatchObject({
    ...{ uuid: 'window', lastDay: '2027-01-01', days: 1, weekday: 5, week: 2, dayOfMonth: null },
  });
});
