import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeXsrfToken, xsrfTokenFits } from './xsrf.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const session = Buffer.alloc(32, 2);

test('accepts a token only with its own session and key', () => {
  const token = makeXsrfToken(key, session);
  expect(xsrfTokenFits(key, session, token)).toBe(true);
  expect(xsrfTokenFits(key, Buffer.alloc(32, 3), token)).toBe(false);
  expect(xsrfTokenFits(createSecretKey(Buffer.alloc(32, 4)), session, token)).toBe(false);
  expect(makeXsrfToken(key, session)).not.toBe(token);
});

test('refuses a malformed token', () => {
  const token = makeXsrfToken(key, session);
  const [random, signature] = token.split('.') as [string, string];
  const other = signature.startsWith('A') ? 'B' : 'A';
  for (const wrong of [
    undefined,
    '',
    '.',
    random,
    `${random}.`,
    `.${signature}`,
    `${token}.`,
    `${token}.x`,
    `${random}x.${signature}`,
    `${random}.${other}${signature.slice(1)}`,
    `${random}.${signature.slice(0, 20)}`,
  ]) {
    expect(xsrfTokenFits(key, session, wrong), String(wrong)).toBe(false);
  }
});
