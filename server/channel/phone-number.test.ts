import { expect, test } from 'vitest';
import { isSimNumber, readPhoneNumber } from '../../domain/notify/phone-number.ts';
import { checkPhoneNumber } from './phone-number.ts';

test.each([
  ['+491701234567', '+491701234567'],
  ['+49 170 / 123-45.67', '+491701234567'],
  ['0049 (170) 1234567', '+491701234567'],
  ['+49 (0)170 1234567', '+491701234567'],
  ['\u202A+44\u00A07700\u2011900001\u202C', '+447700900001'],
])('%j is %s', (written, number) => {
  expect(readPhoneNumber(written)).toBe(number);
  expect(checkPhoneNumber(written)).toBeUndefined();
});

test.each(['', '0170 1234567', '170 1234567', '+0491701234567', '+12345', '+1234567890123456', '+49 170 CALLME', '+'])(
  '%j cannot be called from everywhere',
  (written) => {
    expect(readPhoneNumber(written)).toBeUndefined();
    expect(checkPhoneNumber(written)).toMatch(/country code, such as \+49/);
  },
);

test.each([
  ['+44 7700 900113', true],
  ['0170 / 123-45.67', true],
  ['88220', true],
  ['8949 0200 0012 3456 7890', true],
  ['12', false],
  ['12ab', false],
  ['call the office', false],
])('%j as the number of a SIM card: %s', (written, could) => expect(isSimNumber(written)).toBe(could));
