import { expect, test } from 'vitest';
import { linkChanges } from './links.ts';

const option = (value: string) => ({ value, label: value.toUpperCase() });
const link = (target: string) => ({ uuid: `link-${target}`, target });

test('adds what was linked here and removes what was taken off here', () => {
  expect(linkChanges([option('a'), option('b')], [option('b'), option('c')], [link('a'), link('b')])).toEqual({
    add: ['c'],
    remove: ['link-a'],
  });
});

test('what others linked meanwhile stays, and what they did already is not done twice', () => {
  expect(linkChanges([option('a')], [option('c')], [link('c'), link('d')])).toEqual({ add: [], remove: [] });
});
