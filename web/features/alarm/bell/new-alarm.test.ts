import { expect, test } from 'vitest';
import { detectNewAlarm, isShownInList, newestOf, newSince } from './new-alarm.ts';

test('finds the newest alarm over all severities', () => {
  const at = (newestUnacknowledged: string | null) => ({ newestUnacknowledged });
  expect(newestOf([at('2026-03-02T08:00:00Z'), at(null), at('2026-03-02T09:00:00Z')])).toBe(
    Date.parse('2026-03-02T09:00:00Z'),
  );
  expect(newestOf([at(null)])).toBeNull();
});

test('alarms that are open when the page opens make no sound', () => {
  expect(detectNewAlarm(undefined, 100, 0)).toEqual({ latest: 100, isNew: false, sounds: false });
  expect(detectNewAlarm(undefined, null, 0)).toEqual({ latest: null, isNew: false, sounds: false });
});

test('a later alarm sounds, and so does the first one', () => {
  expect(detectNewAlarm(100, 101, 100)).toEqual({ latest: 101, isNew: true, sounds: true });
  expect(detectNewAlarm(null, 101, 0)).toEqual({ latest: 101, isNew: true, sounds: true });
});

test('an older alarm is not new after the newest was acknowledged', () => {
  expect(detectNewAlarm(101, 100, 101)).toEqual({ latest: 101, isNew: false, sounds: false });
  expect(detectNewAlarm(101, null, 101)).toEqual({ latest: 101, isNew: false, sounds: false });
});

test('a new alarm makes no sound if another tab has sounded for it', () => {
  expect(detectNewAlarm(100, 101, 101)).toEqual({ latest: 101, isNew: true, sounds: false });
});

test('new alarms are those after the previous newest, or the only one', () => {
  expect(newSince(5_000, 9_000)).toEqual(new Date(5_001));
  expect(newSince(null, 9_000)).toEqual(new Date(8_999));
});

test('only the unfiltered list of open alarms shows every new alarm', () => {
  expect(isShownInList('/dashboard/alarms', {})).toBe(true);
  expect(isShownInList('/dashboard/alarms', { alarm: 'uuid' })).toBe(true);
  expect(isShownInList('/dashboard/alarms', { show: 'past' })).toBe(false);
  expect(isShownInList('/dashboard', {})).toBe(false);
});
