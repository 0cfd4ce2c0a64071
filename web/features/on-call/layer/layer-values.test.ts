import { expect, test } from 'vitest';
import { fieldsOf, newLayer, previewOf, problemsOf, valuesOf } from './layer-values.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const now = at('2026-11-17T09:00');
const person = (name: string) => ({ uuid: name, name, isActive: true, phoneNumber: '' });
const layer = {
  ...{
    uuid: 'layer',
    name: 'Primary',
    people: ['Ana', 'Ben', 'Cem'].map(person),
    turnHours: 168,
    firstDay: '2026-11-09',
  },
  ...{ handoverTime: '08:00', timeZone: 'Europe/London', hours: [], overrides: [], confirmed: [], swaps: [] },
};

test('lists the people from the present turn on, and saves the same turns', () => {
  const fields = fieldsOf(layer, now);
  expect(fields.personUuids.map(({ label }) => label)).toEqual(['Ben', 'Cem', 'Ana']);
  expect(fields).toMatchObject({ turn: 'week', weekday: '1', hasHours: false });
  expect(valuesOf(fields, now)).toMatchObject({ firstDay: '2026-11-16', personUuids: ['Ben', 'Cem', 'Ana'] });
});

test('keeps the first person on call when the handover moves to another day', () => {
  const fields = { ...fieldsOf(layer, now), weekday: '5', handoverTime: '18:00' };
  expect(valuesOf(fields, now).firstDay).toBe('2026-11-13');
});

test('ends for a weekday that is missing', () => {
  expect(valuesOf({ ...fieldsOf(layer, now), weekday: '' }, now).firstDay).toBe('2026-11-09');
});

test('keeps the first day and the order of turns of hours', () => {
  const fields = fieldsOf({ ...layer, turnHours: 12 }, now);
  expect(fields).toMatchObject({ turn: 'custom', turnHours: '12', unit: 'hours', firstDay: '2026-11-09' });
  expect(fields.personUuids.map(({ label }) => label)).toEqual(['Ana', 'Ben', 'Cem']);
});

test('reports a missing name, missing people and an empty length at their fields', () => {
  const empty = newLayer('Europe/London', '2026-11-17');
  expect(problemsOf(empty, true, now)).toEqual({
    ...{ name: 'Enter a name.', rotaName: 'Enter a name.' },
    personUuids: 'Add at least one person.',
  });
  expect(problemsOf({ ...empty, name: 'A' }, false, now)).toEqual({ personUuids: 'Add at least one person.' });
  const custom = { ...fieldsOf(layer, now), turn: 'custom' as const, turnHours: '' };
  expect(Object.keys(problemsOf(custom, false, now))).toEqual(['turnHours']);
  expect(previewOf(custom, now)).toBeNull();
  expect(problemsOf({ ...custom, turn: 'day', hasHours: true }, false, now)).toEqual({
    hours: 'Add hours, or choose “Around the clock”.',
  });
});
