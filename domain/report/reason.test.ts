import { expect, test } from 'vitest';
import { mustAcknowledgeFilter, NO_REASON, reasonFilter, UNACKNOWLEDGED } from './reason.ts';

test.each([
  [undefined, null, null],
  ['', null, null],
  [NO_REASON, '', null],
  [UNACKNOWLEDGED, '', true],
  ['Sensor fault', 'Sensor fault', null],
])('reads the reason %s as %s', (asked, reason, must) => {
  expect(reasonFilter(asked)).toBe(reason);
  expect(mustAcknowledgeFilter(asked)).toBe(must);
});
