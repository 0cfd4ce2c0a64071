import { expect, test } from 'vitest';
import { fateFilterName, fateFilters, fateName, fates, isSentOrDelivered, readFateFilter } from './fate.ts';

test('every fate has its words, and one that is not known has none', () => {
  expect(fates.map(fateName)).toEqual(['Queued', 'Sent', 'Delivered', 'Not sent (no provider)', 'Failed']);
  expect([fateName('lost'), fateName(null)]).toEqual(['', '']);
});

test('only what was sent or delivered told anybody', () => {
  expect(fates.filter(isSentOrDelivered)).toEqual(['sent', 'delivered']);
});

test('a list is narrowed to a fate, or to some together', () => {
  expect(fateFilters.map(fateFilterName)).toContain('Sent via a provider');
  expect([readFateFilter('kept'), readFateFilter('out'), readFateFilter('lost')]).toEqual(['kept', 'out', undefined]);
});
