import { expect, test } from 'vitest';
import { fieldSentences, sentenceOf } from './field-sentences.ts';

test('replaces a key with its sentence, and keeps other messages', () => {
  expect(sentenceOf('@site-phone')).toBe(fieldSentences['site-phone']);
  expect(sentenceOf('Choose a group of level 2 here.')).toBe('Choose a group of level 2 here.');
});
