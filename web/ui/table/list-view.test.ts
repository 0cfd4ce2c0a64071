import { describe, expect, test } from 'vitest';
import {
  formatListView,
  isNarrowed,
  type ListDefaults,
  offsetOf,
  pageRange,
  parseListView,
  widened,
  withFilter,
  withSearch,
  withSort,
} from './list-view.ts';

const defaults: ListDefaults = { sort: { column: 'name', descending: false }, filters: ['type', 'office'] };

describe('a list view in the address', () => {
  test('shows the first 50 rows in the default order if the URL has no parameters', () => {
    expect(parseListView({}, defaults)).toEqual({
      search: '',
      sort: { column: 'name', descending: false },
      page: 1,
      size: 50,
      filters: {},
    });
  });

  test('restores a bookmarked view', () => {
    const search = { q: 'kelder', sort: '-lastUpdate', page: '3', size: '100', type: 'Booster' };
    const view = parseListView(search, defaults);
    expect(view).toEqual({
      search: 'kelder',
      sort: { column: 'lastUpdate', descending: true },
      page: 3,
      size: 100,
      filters: { type: 'Booster' },
    });
    expect(formatListView(view, defaults)).toEqual({ ...search, office: undefined });
  });

  test('omits defaults, so that URLs stay short', () => {
    const view = parseListView({}, defaults);
    expect(Object.values(formatListView(view, defaults)).every((value) => value === undefined)).toBe(true);
  });

  test.each([
    { page: '0' },
    { page: '-2' },
    { page: '1e9' },
    { page: 'x' },
    { size: '0' },
    { sort: 'name; drop table' },
    { sort: '-' },
    { q: 7 as unknown },
    { unknown: 'x' },
  ])('ignores invalid parameters such as %j', (search) => {
    expect(parseListView(search, defaults)).toEqual(parseListView({}, defaults));
  });

  test('limits a page to 500 rows', () => {
    expect(parseListView({ size: '100000' }).size).toBe(500);
  });

  test('a filter cannot have the name of a view parameter, such as page', () => {
    expect(parseListView({ page: '2' }, { filters: ['page'] }).filters).toEqual({});
  });
});

describe('changing a view', () => {
  const third = parseListView({ page: '3', type: 'Booster' }, defaults);

  test('a new search, filter or order starts at the first page', () => {
    expect(withSearch(third, 'x')).toMatchObject({ search: 'x', page: 1 });
    expect(withFilter(third, 'office', 'Kelder')).toMatchObject({
      filters: { type: 'Booster', office: 'Kelder' },
      page: 1,
    });
    expect(withSort(third, { column: 'siteId', descending: true }).page).toBe(1);
  });

  test('clearing removes search and filters and keeps the order', () => {
    expect(isNarrowed(third)).toBe(true);
    const days = { ...third, search: '', filters: { from: '2026-01-01', office: '' } };
    expect([isNarrowed(days), isNarrowed(days, ['from'])]).toEqual([true, false]);
    expect(widened({ ...days, filters: { ...days.filters, office: 'x' } }, ['from']).filters).toEqual({
      from: '2026-01-01',
    });
    const all = widened(third);
    expect(isNarrowed(all)).toBe(false);
    expect(all.sort).toEqual(third.sort);
  });

  test('removes a cleared filter from the address', () => {
    expect(formatListView(withFilter(third, 'type', ''), defaults).type).toBeUndefined();
  });
});

describe('the footer of a list', () => {
  test.each([
    [1, 412, { page: 1, pages: 9, from: 1, to: 50 }],
    [9, 412, { page: 9, pages: 9, from: 401, to: 412 }],
    [1, 0, { page: 1, pages: 1, from: 0, to: 0 }],
    [99, 60, { page: 2, pages: 2, from: 51, to: 60 }],
    [1, 50, { page: 1, pages: 1, from: 1, to: 50 }],
  ])('page %d of %d rows', (page, total, range) => expect(pageRange({ page, size: 50 }, total)).toEqual(range));

  test('skips the rows of the previous pages on the server', () => expect(offsetOf({ page: 3, size: 50 })).toBe(100));
});
