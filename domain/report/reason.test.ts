import { expect, test } from 'vitest';
import { mustOf, NO_REASON, reasonOf, UNACKNOWLEDGED } from './reason.ts';

test.each([
  [undefined, null, null],
  ['', null, null],
  [NO_REASON, '', null],
  [UNACKNOWLEDGED, '', true],
  ['Sensor fault', 'Sensor fault', null],
])('the reason %s of an address asks for %s', (asked, reason, must) => {
  expect(reasonOf(asked)).toBe(reason);
  expect(mustOf(asked)).toBe(must);
});
