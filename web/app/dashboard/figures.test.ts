import { expect, test } from 'vitest';
import { formatMinutes } from './figures.ts';

test.each([
  [0, '0'],
  [250, '4:10'],
  [59.6, '0:59'],
  [302, '5:02'],
  [720, '12'],
  [3599, '59:59'],
  [3600, '60'],
  [3659, '60'],
])('%d seconds read %s', (seconds, text) => expect(formatMinutes(seconds)).toBe(text));
