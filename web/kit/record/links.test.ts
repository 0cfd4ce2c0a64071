import { expect, test } from 'vitest';
import { linkChanges } from './links.ts';

const option = (value: string) => ({ value, label: value.toUpperCase() });

test('only what was linked and taken off here is sent', () => {
  expect(linkChanges([option('a'), option('b')], [option('b'), option('c')])).toEqual({ link: ['c'], unlink: ['a'] });
  expect(linkChanges([option('a')], [option('a')])).toEqual({ link: [], unlink: [] });
});
