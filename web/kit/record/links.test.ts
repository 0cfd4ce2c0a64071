import { expect, test } from 'vitest';
import { linkChanges } from './links.ts';

const option = (value: string) => ({ value, label: value.toUpperCase() });

test('returns only the links that this user added or removed', () => {
  expect(linkChanges([option('a'), option('b')], [option('b'), option('c')])).toEqual({ link: ['c'], unlink: ['a'] });
  expect(linkChanges([option('a')], [option('a')])).toEqual({ link: [], unlink: [] });
});
