import { expect, test } from 'vitest';
import { bellWords } from './count-words.ts';

test.each([
  [0, 0, '0 alarms not acknowledged, none open'],
  [17, 0, '0 alarms not acknowledged, 17 open'],
  [20, 1, '1 alarm not acknowledged, 20 open'],
  [20, 3, '3 alarms not acknowledged, 20 open'],
])('of %d open alarms with %d that wait the bell says %s', (open, unacknowledged, words) =>
  expect(bellWords({ open, unacknowledged })).toBe(words),
);
