import { expect, test } from 'vitest';
import { linkChanges } from './links.ts';

const option = (value: string) => ({ value, label: value.toUpperCase() });

test('sends only links added and removed here', () => {
  expect(linkChanges([option('a'), option('b')], [option('b'), option('c')])).toEqual({ link: ['c'], unlink: ['a'] });
  expect(linkChanges([option('a')], [option('a')])).toEqual({ link: [], unlink: [] });
});
