import { describe, expect, test } from 'vitest';
import { canSubmit, passwordMode } from './password-mode.ts';

describe('the mode of the password screen', () => {
  test.each([
    ['/auth/activation', 'activation'],
    ['/auth/verify', 'verify'],
    ['/auth/verify/', 'verify'],
    ['/auth/change-password', 'change'],
    ['/auth/anything', 'change'],
    ['/', 'change'],
  ])('%s has the mode %s', (path, mode) => expect(passwordMode(path)).toBe(mode));
});

describe('the button of the password screen', () => {
  const filled = { first: '123456', password: 'long enough', confirmation: 'long enough' };

  test('is enabled when all fields are filled and the passwords match', () => expect(canSubmit(filled)).toBe(true));

  test.each([
    { ...filled, confirmation: 'long enougH' },
    { ...filled, confirmation: '' },
    { ...filled, password: '', confirmation: '' },
    { ...filled, first: '  ' },
  ])('is disabled for %j', (fields) => expect(canSubmit(fields)).toBe(false));
});
