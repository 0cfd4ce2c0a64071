import { expect, test } from 'vitest';
import { LOCALES, startPathOf } from './profile.ts';

test.each([
  [null, '/reports'],
  ['reports', '/reports'],
  ['dashboard', '/dashboard'],
  ['alarms', '/dashboard/alarms'],
  ['my-work', '/dashboard/my-work'],
  ['a page of a later version', '/reports'],
])('a user who chose %j starts at %s', (chosen, path) => expect(startPathOf(chosen)).toBe(path));

test('offers only locales in which dates and numbers can be formatted', () => {
  for (const { value } of LOCALES.slice(1)) expect(Intl.NumberFormat.supportedLocalesOf(value)).toEqual([value]);
});
