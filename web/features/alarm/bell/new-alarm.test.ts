import { expect, test } from 'vitest';
import { isShownAnyway, listen, newestOf, newSince } from './new-alarm.ts';

test('the newest is that of all severities', () => {
  const at = (newestUnacknowledged: string | null) => ({ newestUnacknowledged });
  expect(newestOf([at('2026-03-02T08:00:00Z'), at(null), at('2026-03-02T09:00:00Z')])).toBe(
    Date.parse('2026-03-02T09:00:00Z'),
  );
  expect(newestOf([at(null)])).toBeNull();
});

test('what is there when the page opens makes no sound', () => {
  expect(listen(undefined, 100, 0)).toEqual({ latest: 100, isNew: false, sounds: false });
  expect(listen(undefined, null, 0)).toEqual({ latest: null, isNew: false, sounds: false });
});

test('a later one does, also the first of all', () => {
  expect(listen(100, 101, 100)).toEqual({ latest: 101, isNew: true, sounds: true });
  expect(listen(null, 101, 0)).toEqual({ latest: 101, isNew: true, sounds: true });
});

test('when the newest was acknowledged the one before it is not new', () => {
  expect(listen(101, 100, 101)).toEqual({ latest: 101, isNew: false, sounds: false });
  expect(listen(101, null, 101)).toEqual({ latest: 101, isNew: false, sounds: false });
});

test('another tab has sounded for it already', () => {
  expect(listen(100, 101, 101)).toEqual({ latest: 101, isNew: true, sounds: false });
});

test('the new ones are those after the one before, or the only one', () => {
  expect(newSince(5_000, 9_000)).toEqual(new Date(5_001));
  expect(newSince(null, 9_000)).toEqual(new Date(8_999));
});

test('only a list that leaves none out shows a new one by itself', () => {
  expect(isShownAnyway('/dashboard/alarms', {})).toBe(true);
  expect(isShownAnyway('/dashboard/alarms', { alarm: 'uuid' })).toBe(true);
  expect(isShownAnyway('/dashboard/alarms', { show: 'past' })).toBe(false);
  expect(isShownAnyway('/dashboard', {})).toBe(false);
});
