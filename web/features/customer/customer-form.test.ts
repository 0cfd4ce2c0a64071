import { expect, test } from 'vitest';
import { customerProblems } from './customer-form.ts';

const fine = { name: 'Example Water', email: '', phone: '', timeZone: 'Europe/Berlin' };

test('a company needs a name and a time zone, and its e-mail is one or none', () => {
  expect(customerProblems(fine)).toEqual({});
  expect(customerProblems({ ...fine, email: 'office@company.com' })).toEqual({});
  expect(Object.keys(customerProblems({ ...fine, name: ' ', email: 'office', timeZone: null }))).toEqual([
    'name',
    'email',
    'timeZone',
  ]);
});

test('a zone that the browser does not know is not taken', () => {
  expect(Object.keys(customerProblems({ ...fine, timeZone: 'Europe/Nowhere' }))).toEqual(['timeZone']);
});
