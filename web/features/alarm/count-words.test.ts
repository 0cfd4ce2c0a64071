import { expect, test } from 'vitest';
import { bellWords, bulkAcknowledgeTitle } from './count-words.ts';

test.each([
  [0, 0, '0 alarms not acknowledged, none open'],
  [17, 0, '0 alarms not acknowledged, 17 open'],
  [20, 1, '1 alarm not acknowledged, 20 open'],
  [20, 3, '3 alarms not acknowledged, 20 open'],
])('names the bell for %d open and %d unacknowledged alarms: %s', (open, unacknowledged, words) =>
  expect(bellWords({ open, unacknowledged })).toBe(words),
);

test.each([
  [4, 0, false, 'Acknowledge 4 alarms'],
  [4, 3, false, 'Acknowledge 3 alarms'],
  [4, 2, true, 'Acknowledge 2 more alarms'],
  [4, 1, true, 'Acknowledge 1 more alarm'],
  [4, 0, true, 'Acknowledge 4 alarms'],
])('titles the dialog for %d alarms, %d unacknowledged, some done: %s: %s', (asked, waiting, begun, words) =>
  expect(bulkAcknowledgeTitle(asked, waiting, begun)).toBe(words),
);
