import { expect, test } from 'vitest';
import { askedFateName, askedFates, fateName, fates, readAskedFate, wentOut } from './fate.ts';

test('every fate has its words, and one that is not known has none', () => {
  expect(fates.map(fateName)).toEqual(['Queued', 'Sent', 'Delivered', 'Not sent (no provider)', 'Failed']);
  expect([fateName('lost'), fateName(null)]).toEqual(['', '']);
});

test('only what was sent or delivered told anybody', () => {
  expect(fates.filter(wentOut)).toEqual(['sent', 'delivered']);
});

test('a list is narrowed to a fate, or to some together', () => {
  expect(askedFates.map(askedFateName)).toContain('Sent via a provider');
  expect([readAskedFate('kept'), readAskedFate('out'), readAskedFate('lost')]).toEqual(['kept', 'out', undefined]);
});
