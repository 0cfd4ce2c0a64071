import { expect, test } from 'vitest';
import { piecesOf } from './placeholders.ts';

test('separates placeholders from plain text', () => {
  expect(piecesOf('{site}: value {value}')).toEqual([
    { text: '{site}', placeholder: true },
    { text: ': value ', placeholder: false },
    { text: '{value}', placeholder: true },
  ]);
});

test.each(['{weather}', '{}', '{site', 'a } b { c', '{ site }'])('%s is plain text', (message) => {
  expect(piecesOf(message).some((piece) => piece.placeholder)).toBe(false);
});

test('keeps all text of a message', () => {
  const message = '{{site}} {a}{b} } {time}!';
  expect(
    piecesOf(message)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(message);
});
