import { expect, test } from 'vitest';
import { HandClock } from '../platform/clock.ts';
import { CallCounter } from './call-counter.ts';

const clock = () => new HandClock(new Date('2026-03-02T08:00:00Z'));
const MINUTE = 60_000;

test('refuses above its limit until the window ends, and counts each key separately', () => {
  const time = clock();
  const counter = new CallCounter({ most: 1, perMs: MINUTE }, time);
  counter.take('a');
  counter.take('b');
  time.advance(MINUTE - 1);
  expect(() => counter.take('a')).toThrow('Too many attempts. Try again in 1 second.');
  time.advance(1);
  counter.take('a');
});

test('never exceeds its number of keys, and drops expired ones first', () => {
  const time = clock();
  const counter = new CallCounter({ most: 1, perMs: MINUTE }, time, 100);
  for (let i = 0; i < 1000; i += 1) counter.take(`flood ${i}`);
  expect(counter.size).toBeLessThanOrEqual(100);
  time.advance(MINUTE);
  counter.take('later');
  for (let i = 0; i < 99; i += 1) counter.take(`second ${i}`);
  expect(() => counter.take('later')).toThrow('Too many attempts.');
});
