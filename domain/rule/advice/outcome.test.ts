import { expect, test } from 'vitest';
import type { ReplayedAlarm } from '../replay.ts';
import { compareOutcome, expectationOf } from './outcome.ts';
import { type AlarmClass, countChattering, countFleeting, type PastAlarm } from './past-alarm.ts';

const MINUTE = 60_000;

function past(uuid: string, kind: AlarmClass, from: number, to?: number): PastAlarm {
  return { uuid, class: kind, openedAt: from * MINUTE, resolvedAt: to === undefined ? undefined : to * MINUTE };
}

/** Creates replayed alarms from their opening and resolution times in minutes. */
function replayed(...alarms: [from: number, to?: number][]): ReplayedAlarm[] {
  return alarms.map(([from, to]) => ({
    ...{ since: from * MINUTE, openedAt: from * MINUTE, peak: 0 },
    resolvedAt: to === undefined ? undefined : to * MINUTE,
  }));
}

function outcome(alarms: readonly PastAlarm[], ...opened: [from: number, to?: number][]) {
  return compareOutcome(expectationOf(alarms, 1000 * MINUTE), replayed(...opened));
}

test('keeps a real alarm that opens later, and returns the delay', () => {
  expect(outcome([past('a', 'real', 10, 20)], [14, 20])).toMatchObject({ realKept: 1, delayMs: 4 * MINUTE });
});

test('misses a real alarm during which none is open', () => {
  const alarms = [past('a', 'real', 10, 20), past('b', 'real', 50, 60)];
  expect(outcome(alarms, [50, 60])).toMatchObject({ realKept: 1, missed: ['a'] });
});

test('misses a real alarm that falls into an alarm of an earlier event', () => {
  expect(outcome([past('a', 'real', 10, 20)], [5, 30])).toMatchObject({ missed: ['a'] });
  expect(outcome([past('a', 'real', 10, 20), past('b', 'real', 50, 60)], [10])).toMatchObject({ missed: ['b'] });
});

test('keeps the real alarms that merge with the first alarm of their episode', () => {
  const alarms = [past('a', 'real', 10, 12), past('b', 'real', 15, 16), past('c', 'real', 26, 27)];
  expect(outcome(alarms, [10, 30])).toMatchObject({ realKept: 3, missed: [], delayMs: 0 });
});

test('misses the first alarm of an episode that only opens with the second', () => {
  const alarms = [past('a', 'real', 10, 12), past('b', 'real', 15, 16)];
  expect(outcome(alarms, [15, 30])).toMatchObject({ realKept: 1, missed: ['a'] });
});

test('avoids a nuisance alarm during which none opens, even if one is open', () => {
  const alarms = [past('a', 'nuisance', 10, 12), past('b', 'nuisance', 20, 22), past('c', 'nuisance', 30, 32)];
  expect(outcome(alarms, [10, 25]).nuisanceAvoided).toBe(2);
  expect(outcome(alarms, [10, 12], [21, 22]).nuisanceAvoided).toBe(1);
  expect(outcome(alarms).nuisanceAvoided).toBe(3);
});

test('an open alarm lasts until the end of the range', () => {
  expect(outcome([past('a', 'real', 10)], [900, 950])).toMatchObject({ realKept: 1 });
  expect(outcome([past('a', 'nuisance', 10)], [900, 950]).nuisanceAvoided).toBe(0);
});

test('counts fleeting and chattering alarms', () => {
  const at = (second: number, seconds: number | undefined): PastAlarm =>
    past(String(second), 'unknown', second / 60, seconds === undefined ? undefined : (second + seconds) / 60);
  expect(countFleeting([at(0, 30), at(100, 31), at(200, undefined)])).toBe(1);
  expect(countChattering([at(0, 5), at(60, 5), at(30, 5), at(200, 5), at(230, 5)])).toBe(3);
  expect(countChattering([at(0, 5), at(30, 5), at(61, 5)])).toBe(0);
  expect(countChattering([at(0, 5), at(20, 5), at(40, 5), at(60, 5), at(80, 5)])).toBe(5);
});
