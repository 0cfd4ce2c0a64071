import { expect, test } from 'vitest';
import { isSimNumber, readPhoneNumber } from '../../domain/notification/phone-number.ts';
import { dialled, notDialled } from '../../test/harness/provider/phone-numbers.ts';
import { checkPhoneNumber } from './phone-number.ts';

test.each(dialled)('reads %j as %s', (written, number) => {
  expect(readPhoneNumber(written)).toBe(number);
  expect(checkPhoneNumber(written)).toBeUndefined();
});

test.each(notDialled)('refuses %j, which is not an international number', (written) => {
  expect(readPhoneNumber(written)).toBeUndefined();
  expect(checkPhoneNumber(written)).toMatch(/country code, such as \+49/);
});

test.each([
  ['+44 7700 900113', true],
  ['0170 / 123-45.67', true],
  ['88220', true],
  ['8949 0200 0012 3456 7890', true],
  ['12', false],
  ['12ab', false],
  ['call the office', false],
])('reads %j as the number of a SIM card: %s', (written, could) => expect(isSimNumber(written)).toBe(could));
