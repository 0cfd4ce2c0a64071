import { expect, test } from 'vitest';
import {
  emptyUser,
  grantableLevels,
  mayMakeServiceAccounts,
  userErrors,
  userFields,
  usernameFor,
} from './user-form.ts';

const manager = { level: 5, partnerAccount: false };
const owner = { level: 0, partnerAccount: false };
const whole = { ...emptyUser.values, displayName: 'Lena Voss', username: 'lena', email: 'lena@plant.example' };

test("offers only levels with higher numbers than one's own, and the user's current one", () => {
  const offered = grantableLevels(manager, null).map(({ value }) => Number(value));
  expect(Math.min(...offered)).toBe(6);
  expect(grantableLevels(owner, null)[0]).toEqual({ value: '1', label: '1, manager' });
  expect(grantableLevels(manager, 17).map(({ value }) => value)).toContain('17');
});

test('offers partner accounts only to owners', () => {
  expect(mayMakeServiceAccounts(owner)).toBe(true);
  expect(mayMakeServiceAccounts(manager)).toBe(false);
});

test('names missing fields, and requires a phone number for SMS and WhatsApp', () => {
  expect(userErrors(whole)).toEqual({});
  expect(Object.keys(userErrors(emptyUser.values))).toEqual(['displayName', 'username', 'email']);
  expect(userErrors({ ...whole, email: 'lena at plant' })).toHaveProperty('email');
  expect(userErrors({ ...whole, smsNotification: true })).toHaveProperty('phoneNumber');
  expect(userErrors({ ...whole, smsNotification: true, phoneNumber: '+44 7700 900 318' })).toEqual({});
  expect(userErrors({ ...whole, smsNotification: true, phoneNumber: '0171 5550 123' }).phoneNumber).toContain(
    'country code',
  );
  expect(userErrors({ ...whole, phoneNumber: '12ab' }).phoneNumber).toContain('country code');
});

test('never sends a password or code', () => {
  const fields = userFields(whole);
  expect(fields).toMatchObject({ displayName: 'Lena Voss', level: 20, status: true });
  for (const name of ['password', 'otp', 'varified', 'sites']) expect(fields).not.toHaveProperty(name);
});

test('copies the e-mail to the user name until somebody enters one', () => {
  expect(usernameFor('', '', 'l')).toBe('l');
  expect(usernameFor('lena@plant', 'lena@plant', 'lena@plant.example')).toBe('lena@plant.example');
  expect(usernameFor('lena', 'lena@plant', 'lena@plant.example')).toBe('lena');
});
