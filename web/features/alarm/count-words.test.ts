import { expect, test } from 'vitest';
import { bellWords } from './count-words.ts';

test.each([
  [0, 0, 'No open alarms'],
  [1, 0, '1 open alarm, acknowledged'],
  [17, 0, '17 open alarms, all acknowledged'],
  [20, 1, '1 alarm not acknowledged, 20 open'],
  [20, 3, '3 alarms not acknowledged, 20 open'],
])('of %d open alarms with %d that wait the bell says %s', (open, unacknowledged, words) =>
  expect(bellWords({ open, unacknowledged })).toBe(words),
);
