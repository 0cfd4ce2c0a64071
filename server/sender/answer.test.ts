import { expect, test } from 'vitest';
import { cleanAnswer, quoteAnswer, shorten } from './answer.ts';

test('an answer is kept on one line, without control characters', () => {
  expect(cleanAnswer('OK\r\n\tid=7\0\u0007 ')).toBe('OK id=7');
  expect(cleanAnswer('lone \uD800 half')).toBe('lone \uFFFD half');
});

test('an answer is cut to 500 characters, and never inside one', () => {
  expect(cleanAnswer('x'.repeat(500))).toBe('x'.repeat(500));
  expect(cleanAnswer('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
});

test('a secret is hidden however it is written, also where the cut would have gone through it', () => {
  const secret = 'k3y/with "quotes"';
  const written = [secret, encodeURIComponent(secret), JSON.stringify(secret)].join(' ');
  expect(cleanAnswer(written, [secret])).toBe('[hidden] [hidden] "[hidden]"');
  const atTheEdge = cleanAnswer(`${'x'.repeat(495)}0123456789`, ['0123456789']);
  expect(atTheEdge).not.toContain('0123');
  expect(cleanAnswer('abc-long abc', ['abc', 'abc-long'])).toBe('[hidden] [hidden]');
  expect(cleanAnswer('nothing to hide', [''])).toBe('nothing to hide');
});

test('a short secret is hidden as a word, and not where its letters are part of another', () => {
  const said = 'key=t0ken&user=t.[]%3At0ken "t0ken" not0kens a-b';
  expect(cleanAnswer(said, ['t0ken', 't.[]', 'a-b'])).toBe(
    'key=[hidden]&user=[hidden]%3A[hidden] "[hidden]" not0kens [hidden]',
  );
});

test('silence is not quoted', () => {
  expect(quoteAnswer(' \n')).toBe('');
  expect(quoteAnswer('no')).toBe(' It said: no');
});
