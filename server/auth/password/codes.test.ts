import { expect, test } from 'vitest';
import { defaultLimits } from '../limits.ts';
import { CODE_DIGITS, CODE_LIFE_MS, CODE_TRIES, CODES_PER_DAY } from './codes.ts';

test('guessing codes of an account succeeds with a chance of at most 1e-4 a day', () => {
  const { codesPerAccount, codesPerAccountAndDay } = defaultLimits;
  expect(codesPerAccountAndDay).toEqual({ most: CODES_PER_DAY, perMs: 24 * 60 * 60_000 });
  // Codes from the previous day can still be valid. A code is valid for less than an hour, so the hourly limit also
  // applies to these codes.
  expect(CODE_LIFE_MS.reset).toBeLessThanOrEqual(codesPerAccount.perMs);
  const codes = CODES_PER_DAY + codesPerAccount.most;
  // 20 codes with 5 tries each allow 100 guesses. With 1,000,000 possible codes, one of these guesses succeeds with a
  // probability of at most 1 in 10,000.
  expect((codes * CODE_TRIES) / 10 ** CODE_DIGITS).toBeLessThanOrEqual(1e-4);
});

test('codes by mail expire after ten minutes', () => {
  expect([CODE_LIFE_MS.reset, CODE_LIFE_MS.verification]).toEqual([600_000, 600_000]);
});
