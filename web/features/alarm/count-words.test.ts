import { expect, test } from 'vitest';
import { bellWords, titleOfMany } from './count-words.ts';

test.each([
  [0, 0, '0 alarms not acknowledged, none open'],
  [17, 0, '0 alarms not acknowledged, 17 open'],
  [20, 1, '1 alarm not acknowledged, 20 open'],
  [20, 3, '3 alarms not acknowledged, 20 open'],
])('of %d open alarms with %d that wait the bell says %s', (open, unacknowledged, words) =>
  expect(bellWords({ open, unacknowledged })).toBe(words),
);

test.each([
  [4, 0, false, 'Acknowledge 4 alarms'],
  [4, 3, false, 'Acknowledge 3 alarms'],
  [4, 2, true, 'Acknowledge 2 more alarms'],
  [4, 1, true, 'Acknowledge 1 more alarm'],
  [4, 0, true, 'Acknowledge 4 alarms'],
])('of %d alarms to acknowledge with %d that wait, begun: %s, the title is %s', (asked, waiting, begun, words) =>
  expect(titleOfMany(asked, waiting, begun)).toBe(words),
);
