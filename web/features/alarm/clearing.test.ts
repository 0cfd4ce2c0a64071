import { expect, test } from 'vitest';
import { clearingSince } from './clearing.ts';

const at = (minute: number) => `2026-03-02T10:0${minute}:00.000Z`;
const opened = { at: at(0), kind: 'opened', detail: { because: 'stayed-out' } };
const back = { at: at(1), kind: 'clearing', detail: { because: 'back-inside', until: Date.parse(at(6)) } };
const told = { at: at(2), kind: 'message', detail: null };

test('returns since when the value is inside and when the alarm resolves automatically', () => {
  expect(clearingSince([opened, back, told])).toEqual({ since: at(1), until: at(6) });
});

test('returns no resolve time for an old event without one', () => {
  expect(clearingSince([opened, { ...back, detail: { because: 'back-inside' } }])).toEqual({
    since: at(1),
    until: null,
  });
});

test.each([
  ['never returned inside', [opened, told]],
  ['went out again', [opened, back, { at: at(3), kind: 'out-again', detail: { because: 'out-again' } }]],
  ['left the clear limits', [opened, back, { at: at(3), kind: 'clearing', detail: { because: 'left-clear-limits' } }]],
  ['has no record', []],
])('returns null for a value that %s', (_, events) => expect(clearingSince(events)).toBeNull());
