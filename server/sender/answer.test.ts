import { expect, test } from 'vitest';
import { cleanAnswer, quoteAnswer, shorten } from './answer.ts';

test('stores a response on one line, without control characters', () => {
  expect(cleanAnswer('OK\r\n\tid=7\0\u0007 ')).toBe('OK id=7');
  expect(cleanAnswer('lone \uD800 half')).toBe('lone \uFFFD half');
});

test('truncates a response to 500 characters, never inside a character', () => {
  expect(cleanAnswer('x'.repeat(500))).toBe('x'.repeat(500));
  expect(cleanAnswer('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
});

test('hides a secret in every encoding, even where the response is truncated', () => {
  const secret = 'k3y/with "quotes"';
  const written = [secret, encodeURIComponent(secret), JSON.stringify(secret)].join(' ');
  expect(cleanAnswer(written, [secret])).toBe('[hidden] [hidden] "[hidden]"');
  const atTheEdge = cleanAnswer(`${'x'.repeat(495)}0123456789`, ['0123456789']);
  expect(atTheEdge).not.toContain('0123');
  expect(cleanAnswer('abc-long abc', ['abc', 'abc-long'])).toBe('[hidden] [hidden]');
  expect(cleanAnswer('nothing to hide', [''])).toBe('nothing to hide');
});

test('hides a short secret as a word, and not inside another word', () => {
  const said = 'key=t0ken&user=t.[]%3At0ken "t0ken" not0kens a-b';
  expect(cleanAnswer(said, ['t0ken', 't.[]', 'a-b'])).toBe(
    'key=[hidden]&user=[hidden]%3A[hidden] "[hidden]" not0kens [hidden]',
  );
});

test('returns an empty text if there is no response to quote', () => {
  expect(quoteAnswer(' \n')).toBe('');
  expect(quoteAnswer('no')).toBe(' Its response: no');
});
