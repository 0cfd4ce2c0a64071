import { expect, test } from 'vitest';
import { customerProblems } from './customer-form.ts';

const levels = { group2Name: '', group3Name: '', group4Name: '', group5Name: '' };
const hours = { operatorShelveHours: '24', managerShelveHours: '168' };
const fine = { name: 'Example Water', email: '', phone: '', timeZone: 'Europe/Berlin', ...levels, ...hours };

test('requires a name and a time zone, and a valid or empty e-mail and phone number', () => {
  expect(customerProblems(fine)).toEqual({});
  expect(customerProblems({ ...fine, email: 'office@company.com' })).toEqual({});
  expect(customerProblems({ ...fine, phone: ' +49 (0)30 123-4567 ' })).toEqual({});
  const wrong = { name: ' ', email: 'office', phone: '12ab', timeZone: null, ...levels, ...hours };
  expect(Object.keys(customerProblems(wrong))).toEqual(['name', 'email', 'phone', 'timeZone']);
  expect(Object.keys(customerProblems({ ...fine, phone: '030 1234567' }))).toEqual(['phone']);
});

test('refuses a time zone that the browser does not know', () => {
  expect(Object.keys(customerProblems({ ...fine, timeZone: 'Europe/Nowhere' }))).toEqual(['timeZone']);
});

test.each(['', '0', '1.5', '-1', '8761', 'ten'])('refuses %j as the longest shelving', (text) => {
  expect(customerProblems({ ...fine, operatorShelveHours: text })).toEqual({
    operatorShelveHours: 'Enter whole hours from 1 to 8,760, which is a year.',
  });
  expect(Object.keys(customerProblems({ ...fine, managerShelveHours: text }))).toEqual(['managerShelveHours']);
});
