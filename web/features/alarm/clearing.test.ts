import { expect, test } from 'vitest';
import { clearingSince } from './clearing.ts';

const at = (minute: number) => `2026-03-02T10:0${minute}:00.000Z`;
const opened = { at: at(0), kind: 'opened', detail: { because: 'stayed-out' } };
const back = { at: at(1), kind: 'clearing', detail: { because: 'back-inside', until: Date.parse(at(6)) } };
const told = { at: at(2), kind: 'message', detail: null };

test('a value that came back is back since then, until the alarm resolves by itself', () => {
  expect(clearingSince([opened, back, told])).toEqual({ since: at(1), until: at(6) });
});

test('an event from before the end was recorded says no end', () => {
  expect(clearingSince([opened, { ...back, detail: { because: 'back-inside' } }])).toEqual({
    since: at(1),
    until: null,
  });
});

test.each([
  ['never came back', [opened, told]],
  ['went out again', [opened, back, { at: at(3), kind: 'out-again', detail: { because: 'out-again' } }]],
  ['left the clear limits', [opened, back, { at: at(3), kind: 'clearing', detail: { because: 'left-clear-limits' } }]],
  ['has no record', []],
])('a value that %s is not back', (_, events) => expect(clearingSince(events)).toBeNull());
