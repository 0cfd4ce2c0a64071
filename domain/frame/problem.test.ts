import { expect, test } from 'vitest';
import { omittedCount, problemText } from './problem.ts';

test('lists the first sentences and counts the rest', () => {
  const sentences = Array.from({ length: 7 }, (_, index) => `Sentence ${index + 1}.`);
  expect(problemText([])).toBeNull();
  expect(problemText(sentences.slice(0, 2))).toBe('Sentence 1. Sentence 2.');
  const cut = problemText(sentences) ?? '';
  expect(cut).toMatch(/^Sentence 1\. .*Sentence 5\. And 2 more\.$/);
  expect([omittedCount(cut), omittedCount('Sentence 1.')]).toEqual([2, 0]);
});
