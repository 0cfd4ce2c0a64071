import { describe, expect, test } from 'vitest';
import { everyWord, key, orderOf, pageOf, wholeNumber, windowOf } from './list.ts';

describe('the order sent to the server', () => {
  const columns = { name: 'NAME', siteId: 'SITE_ID' } as const;

  test('follows the view, with the key last and in the same direction', () => {
    expect(orderOf({ column: 'siteId', descending: true }, columns, 'NAME_ASC')).toEqual([
      'SITE_ID_DESC',
      'PRIMARY_KEY_DESC',
    ]);
    expect(orderOf({ column: 'name', descending: false }, columns, 'NAME_DESC')).toEqual([
      'NAME_ASC',
      'PRIMARY_KEY_ASC',
    ]);
  });

  test.each(['address', 'toString', '__proto__'])(
    'is the default for %s, a column that the server cannot sort by',
    (column) => {
      expect(orderOf({ column, descending: true }, columns, 'NAME_ASC')[0]).toBe('NAME_ASC');
    },
  );

  test('falls back to the default without an order', () =>
    expect(orderOf(null, columns, 'NAME_DESC')[0]).toBe('NAME_DESC'));
});

describe('a search', () => {
  const places = (word: object) => [{ name: word }, { siteId: word }];

  test('asks for every word in any of the fields', () => {
    expect(everyWord(' kelder  ps ', places)).toEqual([
      { or: [{ name: { includesInsensitive: 'kelder' } }, { siteId: { includesInsensitive: 'kelder' } }] },
      { or: [{ name: { includesInsensitive: 'ps' } }, { siteId: { includesInsensitive: 'ps' } }] },
    ]);
  });

  test('sends no filter for an empty search', () => expect(everyWord('  ', places)).toEqual([]));

  test('sends only the first words of a long text', () => {
    expect(everyWord('word '.repeat(500), places)).toHaveLength(8);
  });
});

describe('a filter from the address', () => {
  test('is ignored if it is invalid', () => {
    expect(wholeNumber('2')).toBe(2);
    expect(wholeNumber('2.5')).toBeUndefined();
    expect(wholeNumber('99999999999')).toBeUndefined();
    expect(wholeNumber(undefined)).toBeUndefined();
    expect(key('ebe223a3-4488-584f-84d6-c8886717a709')).toBe('ebe223a3-4488-584f-84d6-c8886717a709');
    expect(key('Kelder')).toBeUndefined();
  });
});

test('skips the rows of earlier pages', () =>
  expect(windowOf({ page: 3, size: 50 })).toEqual({ first: 50, offset: 100 }));

test('omits rows that the user is not allowed to see', () => {
  expect(pageOf({ nodes: [{ a: 1 }, null], totalCount: 2 })).toEqual({ rows: [{ a: 1 }], total: 2 });
  expect(pageOf(null)).toEqual({ rows: [], total: 0 });
});
