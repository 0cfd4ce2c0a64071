import { expect, test } from 'vitest';
import { accountWords, levelWords, methodWords } from './user-words.ts';

test('lists the methods that are on', () => {
  const all = { emailNotification: true, smsNotification: true, whatsappNotification: true, appsNotification: true };
  expect(methodWords(all)).toBe('E-mail, SMS, WhatsApp, App push');
  expect(methodWords({ ...all, emailNotification: false, whatsappNotification: false })).toBe('SMS, App push');
  expect(
    methodWords({
      emailNotification: false,
      smsNotification: false,
      whatsappNotification: false,
      appsNotification: false,
    }),
  ).toBe('');
});

test.each([
  [0, false, '0, owner'],
  [9, false, '9, manager'],
  [10, false, '10, operator'],
  [5, true, '5, partner account'],
])('level %d, partner account %s reads %s', (level, tocsinPartnerAccount, words) => {
  expect(levelWords({ level, tocsinPartnerAccount })).toBe(words);
});

test('calls a disabled account disabled, verified or not', () => {
  expect(accountWords({ status: false, varified: false })).toBe('Disabled');
  expect(accountWords({ status: true, varified: false })).toBe('Invited');
  expect(accountWords({ status: true, varified: true })).toBe('Active');
});
