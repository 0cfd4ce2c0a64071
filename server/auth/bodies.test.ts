import { describe, expect, test } from 'vitest';
import { fromBase64, isUuid, readCode, readNewPassword, readPassword } from './bodies.ts';

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const token = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123_-x'.slice(0, 43);

describe('an encoded password', () => {
  test.each(['a', 'tocsin-demo-plant', 'Grüße aus Köln', '🔔'.repeat(50)])('decodes %j unchanged', (password) => {
    expect(readPassword(base64(password), 'password')).toBe(password);
  });

  test.each([
    ['plain text', 'tocsin-demo-plant'],
    ['spaces', 'YWJj ZA=='],
    ['missing padding', 'YQ'],
    ['padding in the middle', 'YQ==YQ=='],
    ['the URL-safe alphabet', '_-8='],
    ['bits left over', 'YR=='],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x41]).toString('base64')],
  ])('refuses %s with a message', (_what, encoded) => {
    expect(() => readPassword(encoded, 'ppassword')).toThrow(
      'The field "ppassword" must be UTF-8 text encoded as base64.',
    );
  });

  test('refuses a password with a NUL', () => {
    expect(() => readPassword(base64('abc\0def'), 'password')).toThrow('not allowed');
  });

  test('keeps a leading byte order mark', () => {
    expect(fromBase64(base64('\uFEFFabc'))).toBe('\uFEFFabc');
  });

  test('refuses a confirmation that differs, if there is one', () => {
    expect(readNewPassword({ password: base64('first-one') })).toBe('first-one');
    expect(readNewPassword({ password: base64('first-one'), cpassword: null })).toBe('first-one');
    expect(readNewPassword({ password: base64('first-one'), cpassword: base64('first-one') })).toBe('first-one');
    expect(() => readNewPassword({ password: base64('first-one'), cpassword: base64('other') })).toThrow('differ');
    expect(() => readNewPassword({ password: base64('first-one'), cpassword: '' })).toThrow('differ');
  });
});

describe('a code', () => {
  test.each([
    ['in otp', { otp: '012345' }, '012345'],
    ['in otp with spaces around', { otp: ' 012345 ' }, '012345'],
    ['in otp as a number without its leading zero', { otp: 12345 }, '012345'],
    ['in ppassword as plain text', { otp: null, ppassword: '987654' }, '987654'],
    ['in ppassword as base64', { otp: '', ppassword: base64('987654') }, '987654'],
    ['a link token in otp', { otp: token }, token],
    ['a link token in ppassword as base64', { ppassword: base64(token) }, token],
    ['otp before ppassword', { otp: '111111', ppassword: base64('222222') }, '111111'],
    ['any other text unchanged', { otp: 'hello' }, 'hello'],
  ])('%s', (_what, form, code) => {
    expect(readCode(form)).toBe(code);
  });

  test('refuses a form without a code', () => {
    expect(() => readCode({})).toThrow('Enter the code');
    expect(() => readCode({ otp: '  ', ppassword: '' })).toThrow('Enter the code');
  });
});

test('distinguishes a uuid from other text', () => {
  expect(isUuid('7bfc4d20-5fac-48d3-8d85-37f918a974f1')).toBe(true);
  expect(isUuid('7BFC4D20-5FAC-48D3-8D85-37F918A974F1')).toBe(true);
  expect(isUuid('7bfc4d20-5fac-48d3-8d85-37f918a974f')).toBe(false);
  expect(isUuid("7bfc4d20-5fac-48d3-8d85-37f918a974f'")).toBe(false);
});
