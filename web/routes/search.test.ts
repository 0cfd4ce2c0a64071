import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search.ts';

test('keeps a code of digits as text with its leading zeros', () => {
  expect(parseSearch('?uuid=6f1c&code=012345')).toEqual({ uuid: '6f1c', code: '012345' });
  expect(parseSearch('?q=true')).toEqual({ q: 'true' });
});

test('parses the same parameters that it has formatted', () => {
  const search = { q: 'kelder & co', sort: '-name', return: '/admin/sites?page=2' };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('omits undefined parameters', () => {
  expect(stringifySearch({ q: undefined, page: null })).toBe('');
});
