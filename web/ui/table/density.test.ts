import { expect, test } from 'vitest';
import { readDensity } from './density.ts';

test.each([
  ['"compact"', 'compact'],
  ['"comfortable"', 'comfortable'],
  [undefined, 'comfortable'],
  ['{broken', 'comfortable'],
])('the stored text %j means %s rows', (stored, density) => expect(readDensity(stored)).toBe(density));
