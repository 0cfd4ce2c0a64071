import { expect, test } from 'vitest';
import { NO_REASON, reasonOf } from './reason.ts';

test.each([
  [undefined, null],
  ['', null],
  [NO_REASON, ''],
  ['Sensor fault', 'Sensor fault'],
])('the reason %s of an address asks for %s', (asked, reason) => expect(reasonOf(asked)).toBe(reason));
