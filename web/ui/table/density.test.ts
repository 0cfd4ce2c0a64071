import { expect, test } from 'vitest';
import { readDensity } from './density.ts';

test.each([
  ['"compact"', 'compact'],
  ['"comfortable"', 'comfortable'],
  [undefined, 'comfortable'],
  ['{broken', 'comfortable'],
])('%j in the browser is %s', (stored, density) => expect(readDensity(stored)).toBe(density));
