import { expect, test } from 'vitest';
import {
  isSentOrDelivered,
  readStateFilter,
  shownStateName,
  shownStates,
  stateFilterName,
  stateFilters,
} from './shown-state.ts';

test('names every state, and returns an empty text for an unknown one', () => {
  expect(shownStates.map(shownStateName)).toEqual(['Queued', 'Sent', 'Delivered', 'Not sent (no provider)', 'Failed']);
  expect([shownStateName('lost'), shownStateName(null)]).toEqual(['', '']);
});

test('counts only sent and delivered messages as reached', () => {
  expect(shownStates.filter(isSentOrDelivered)).toEqual(['sent', 'delivered']);
});

test('reads single states and groups of states', () => {
  expect(stateFilters.map(stateFilterName)).toContain('Sent via a provider');
  expect([readStateFilter('kept'), readStateFilter('out'), readStateFilter('lost')]).toEqual([
    'kept',
    'out',
    undefined,
  ]);
});
