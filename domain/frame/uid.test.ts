import { expect, test } from 'vitest';
import { isValidUid } from './uid.ts';

test.each(['pump-7', 'A', '0', 'a:b.c_d-e', 'x'.repeat(64)])('accepts the uid %s', (text) =>
  expect(isValidUid(text)).toBe(true),
);

test.each(['', '-pump', 'pump 7', 'pump\0', 'pump\n', 'pümpe', '1=20.5', 'x'.repeat(65)])(
  'refuses the uid %j',
  (text) => expect(isValidUid(text)).toBe(false),
);
