import { expect, test } from 'vitest';
import { percentWords } from './percent.ts';

test.each([
  [0, '0.0 %'],
  [0.01, '0.1 %'],
  [92.34, '92.3 %'],
  [92.38, '92.4 %'],
  [99.96, '99.9 %'],
  [100, '100 %'],
])('writes %d per cent as %s', (percent, words) => expect(percentWords(percent)).toBe(words));
