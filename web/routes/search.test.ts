import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search.ts';

test('a code of digits stays a text with its leading zeros', () => {
  expect(parseSearch('?uuid=6f1c&code=012345')).toEqual({ uuid: '6f1c', code: '012345' });
  expect(parseSearch('?q=true')).toEqual({ q: 'true' });
});

test('what is written is read back', () => {
  const search = { q: 'kelder & co', sort: '-name', return: '/admin/sites?page=2' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('what is not given leaves no trace', () => {
  expect(stringifySearch({ q: undefined, page: null })).toBe('');
});
