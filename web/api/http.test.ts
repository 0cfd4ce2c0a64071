import { describe, expect, test } from 'vitest';
import { ApiError, messageOf, readCookie } from './http.ts';

describe('reading a cookie', () => {
  test('finds it among others and decodes it', () => {
    expect(readCookie('a=1; XSRF-TOKEN=x%3D%2Fy; b=2', 'XSRF-TOKEN')).toBe('x=/y');
  });

  test('keeps a second equals sign in the value', () => {
    expect(readCookie('XSRF-TOKEN=abc==', 'XSRF-TOKEN')).toBe('abc==');
  });

  test('does not match a longer name', () => {
    expect(readCookie('OLD-XSRF-TOKEN=1', 'XSRF-TOKEN')).toBeNull();
    expect(readCookie('', 'XSRF-TOKEN')).toBeNull();
  });
});

describe('the message of an error', () => {
  test('is the text that the server sent, if there is one', () => {
    expect(messageOf(new ApiError(400, 'The code has expired.'))).toBe('The code has expired.');
  });

  test('never shows a stack or a type error', () => {
    expect(messageOf(new TypeError('x is not a function'))).toBe('Something went wrong. Try again.');
  });
});
