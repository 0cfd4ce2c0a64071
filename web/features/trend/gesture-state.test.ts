import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GestureState } from './gesture-state.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('is moving until there was no movement for a moment, then calls onEnd once', () => {
  const rests = vi.fn();
  const gesture = new GestureState(rests);
  expect(gesture.moving).toBe(false);
  for (let move = 0; move < 5; move += 1) {
    gesture.move();
    vi.advanceTimersByTime(100);
    expect(gesture.moving).toBe(true);
  }
  expect(rests).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect([gesture.moving, rests.mock.calls.length]).toEqual([false, 1]);
});

test('does not call onEnd after it was cancelled', () => {
  const rests = vi.fn();
  const gesture = new GestureState(rests);
  gesture.move();
  gesture.cancel();
  vi.advanceTimersByTime(1000);
  expect([gesture.moving, rests.mock.calls.length]).toEqual([false, 0]);
});
