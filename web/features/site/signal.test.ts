import { expect, test } from 'vitest';
import { barsOf } from './signal.ts';

test.each([
  [-120, 0],
  [-109, 1],
  [-96, 1],
  [-95, 2],
  [-80, 3],
  [-75, 4],
  [-51, 4],
])('%d dBm fills %d bars', (dbm, bars) => expect(barsOf(dbm)).toBe(bars));
