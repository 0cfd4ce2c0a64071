import { expect, test } from 'vitest';
import { customerProblems } from './customer-form.ts';

const levels = { group2Name: '', group3Name: '', group4Name: '', group5Name: '' };
const fine = { name: 'Example Water', email: '', phone: '', timeZone: 'Europe/Berlin', ...levels };

test('requires a name and a time zone, and a valid or empty e-mail and phone number', () => {
  expect(customerProblems(fine)).toEqual({});
  expect(customerProblems({ ...fine, email: 'office@company.com' })).toEqual({});
  expect(customerProblems({ ...fine, phone: ' +49 (0)30 123-4567 ' })).toEqual({});
  const wrong = { name: ' ', email: 'office', phone: '12ab', timeZone: null, ...levels };
  expect(Object.keys(customerProblems(wrong))).toEqual(['name', 'email', 'phone', 'timeZone']);
  expect(Object.keys(customerProblems({ ...fine, phone: '030 1234567' }))).toEqual(['phone']);
});

test('refuses a time zone that the browser does not know', () => {
  expect(Object.keys(customerProblems({ ...fine, timeZone: 'Europe/Nowhere' }))).toEqual(['timeZone']);
});
