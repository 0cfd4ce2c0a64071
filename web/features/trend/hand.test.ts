import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hand } from './hand.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('is moving until nothing has moved for a moment, and then rests once', () => {
  const rests = vi.fn();
  const hand = new Hand(rests);
  expect(hand.moving).toBe(false);
  for (let move = 0; move < 5; move += 1) {
    hand.move();
    vi.advanceTimersByTime(100);
    expect(hand.moving).toBe(true);
  }
  expect(rests).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect([hand.moving, rests.mock.calls.length]).toEqual([false, 1]);
});

test('draws nothing after it was cancelled', () => {
  const rests = vi.fn();
  const hand = new Hand(rests);
  hand.move();
  hand.leave();
  vi.advanceTimersByTime(1000);
  expect([hand.moving, rests.mock.calls.length]).toEqual([false, 0]);
});
