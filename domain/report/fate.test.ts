import { expect, test } from 'vitest';
import { fateFilterName, fateFilters, fateName, fates, isSentOrDelivered, readFateFilter } from './fate.ts';

test('names every state, and returns an empty text for an unknown one', () => {
  expect(fates.map(fateName)).toEqual(['Queued', 'Sent', 'Delivered', 'Not sent (no provider)', 'Failed']);
  expect([fateName('lost'), fateName(null)]).toEqual(['', '']);
});

test('counts only sent and delivered messages as reached', () => {
  expect(fates.filter(isSentOrDelivered)).toEqual(['sent', 'delivered']);
});

test('reads single states and groups of states', () => {
  expect(fateFilters.map(fateFilterName)).toContain('Sent via a provider');
  expect([readFateFilter('kept'), readFateFilter('out'), readFateFilter('lost')]).toEqual(['kept', 'out', undefined]);
});
