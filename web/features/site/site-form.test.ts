import { expect, test } from 'vitest';
import { currentDurations, emptySite, hoursOf, siteErrors, siteFields, siteInput } from './site-form.ts';

const whole = { ...emptySite.values, name: ' Kelder Road ', siteId: 'PS-0001' };

test('requires a name, an ID and whole hours', () => {
  expect(siteErrors(whole)).toEqual({});
  expect(Object.keys(siteErrors({ ...emptySite.values, tocsinHealthDurationHours: '1.5' }))).toEqual([
    'name',
    'siteId',
    'tocsinHealthDurationHours',
  ]);
});

test('refuses an ID that is too long instead of truncating it', () => {
  expect(siteErrors({ ...whole, siteId: ` ${'x'.repeat(64)} ` })).toEqual({});
  expect(siteErrors({ ...whole, siteId: 'x'.repeat(65) })).toEqual({
    siteId: 'Too long. Use at most 64 characters.',
  });
});

test.each([
  [[6], 'Current value: 6 hours.'],
  [[1, 1], 'Current value (same for all): 1 hour.'],
  [[2, 24, 24], 'Current values: 24 hours (2×), 2 hours (1×).'],
  [
    [1, 2, 3, 4, 5, 6, 7],
    'Current values: 1 hour (1×), 2 hours (1×), 3 hours (1×), 4 hours (1×), 5 hours (1×), others (2×).',
  ],
])('summarises health durations of %j hours: %s', (hours, said) => {
  expect(currentDurations(hours.map((tocsinHealthDurationHours) => ({ tocsinHealthDurationHours })))).toBe(said);
});

test.each([
  ['1', 1],
  [' 168 ', 168],
  ['169', null],
  ['0', null],
  ['', null],
  ['-2', null],
  ['2 h', null],
])('parses %j hours as %j', (text, hours) => expect(hoursOf(text)).toBe(hours));

test.each([
  ['54.6712, −2.8719', true],
  ['-33.9 151.2', true],
  ['Behind the weir, second gate', true],
  ['', true],
  ['91, 10', false],
  ['54.6712, -200', false],
])('%j as a location is valid: %j', (location, taken) => {
  expect(Object.keys(siteErrors({ ...whole, location }))).toEqual(taken ? [] : ['location']);
});

test('requires digits for a SIM card number', () => {
  expect(siteErrors({ ...whole, phoneNumber: '+44 7700 900113' })).toEqual({});
  expect(Object.keys(siteErrors({ ...whole, phoneNumber: 'ask Tom' }))).toEqual(['phoneNumber']);
});

test('trims texts and sends a group by its uuid', () => {
  const fields = siteFields({ ...whole, tocsinGroup5Uuid: { value: 'key', label: 'Kelder' } });
  expect(fields).toMatchObject({ name: 'Kelder Road', tocsinGroup5Uuid: 'key', tocsinGroup2Uuid: null });
  expect(fields).not.toHaveProperty('users');
});

test('omits a network that was not changed in the form', () => {
  const before = { ...whole, gsmProvider: 'Nordcell' };
  expect(siteInput(before, { ...before, name: 'Other' }, 'key', 'mark').site.gsmProvider).toBeNull();
  expect(siteInput(before, { ...before, gsmProvider: ' ' }, 'key', 'mark').site.gsmProvider).toBe('');
});
