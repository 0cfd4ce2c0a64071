import { expect, test } from 'vitest';
import { rangeBefore } from './log-range.ts';

const noon = new Date('2026-11-12T12:00:00Z');

test.each([
  ['1h', '2026-11-12T11:00:00.000Z'],
  ['24h', '2026-11-11T12:00:00.000Z'],
  ['7d', '2026-11-05T12:00:00.000Z'],
] as const)('%s before noon begins at %s', (range, from) => {
  expect(rangeBefore(noon, range).from.toISOString()).toBe(from);
});

test('a frame from a clock five minutes ahead is not missed', () => {
  expect(rangeBefore(noon, '1h').to.toISOString()).toBe('2026-11-12T12:05:00.000Z');
});
