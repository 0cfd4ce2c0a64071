import { describe, expect, test } from 'vitest';
import {
  changesOf,
  type SystemFacts,
  systemAlarmMessage,
  systemAlarms,
  type WatchedProcess,
  workingRoles,
} from './system-alarm.ts';

const all = ['web', 'gateway', 'evaluator', 'engine'];
const processOf = (name: string, values: Partial<WatchedProcess> = {}): WatchedProcess => ({
  ...{ name, roles: all, state: 'ready', silentSeconds: 1, isClockApart: false, checks: [] },
  ...values,
});
const facts = (values: Partial<SystemFacts>): SystemFacts => ({
  ...{ processes: [processOf('one')], watchedSeconds: 1000, overdue: [], backup: undefined },
  ...values,
});
const alarmsOf = (values: Partial<SystemFacts>) =>
  systemAlarms(facts(values)).map(({ kind, subject }) => `${kind} ${subject}`.trim());
const failing = (name: string, failingSeconds: number) => ({ name, ok: false, problem: 'Broken.', failingSeconds });

describe('systemAlarms', () => {
  test('finds nothing while everything works', () => {
    expect(alarmsOf({})).toEqual([]);
  });

  test('finds a process that disappeared, but not one that stopped cleanly', () => {
    const two = processOf('two', { silentSeconds: 16 });
    expect(alarmsOf({ processes: [processOf('one'), two] })).toEqual(['process two']);
    expect(alarmsOf({ processes: [processOf('one'), { ...two, silentSeconds: 15 }] })).toEqual([]);
    expect(alarmsOf({ processes: [processOf('one'), { ...two, state: 'stopped' }] })).toEqual([]);
  });

  test('reports missing gateways as one alarm', () => {
    const evaluator = processOf('evaluator', { roles: ['evaluator'] });
    const gone = { roles: ['gateway'], silentSeconds: 20 };
    const processes = [evaluator, processOf('a', gone), processOf('b', gone)];
    expect(alarmsOf({ processes })).toEqual(['gateway']);
    expect(alarmsOf({ processes: [...processes, processOf('c', { roles: ['gateway'] })] })).toEqual([
      'process a',
      'process b',
    ]);
  });

  test('allows gateways to be stopped for a restart', () => {
    const stopped = (silentSeconds: number) => [
      processOf('evaluator', { roles: ['evaluator'] }),
      processOf('gateway', { roles: ['gateway'], state: 'stopped', silentSeconds }),
    ];
    expect(alarmsOf({ processes: stopped(60) })).toEqual([]);
    expect(alarmsOf({ processes: stopped(61) })).toEqual(['gateway']);
    expect(alarmsOf({ processes: stopped(61), watchedSeconds: 59 })).toEqual([]);
  });

  test('reports a broker and a sender once, and a disk and a clock for each process', () => {
    const checks = ['broker', 'sender E-mail', 'disk', 'database'].map((name) => failing(name, 30));
    const broken = { checks, isClockApart: true };
    expect(alarmsOf({ processes: [processOf('one', broken), processOf('two', broken)] }).toSorted()).toEqual([
      ...['broker', 'clock one', 'clock two', 'disk one', 'disk two', 'sender E-mail'],
    ]);
    expect(alarmsOf({ processes: [processOf('one', { checks: [failing('broker', 29)] })] })).toEqual([]);
  });

  test('reports overdue notifications for each method', () => {
    const overdue = [
      { method: 'e-mail', count: 1 },
      { method: 'SMS', count: 3 },
    ];
    expect(systemAlarms(facts({ overdue })).map(({ sentence }) => sentence.split('. ')[0])).toEqual([
      '1 notification by e-mail is overdue by two minutes or more',
      '3 notifications by SMS are overdue by two minutes or more',
    ]);
  });

  test.each([
    ['is missing', { hours: null, mostHours: 24, isLastOk: true }, ['backup']],
    ['is too old', { hours: 24.1, mostHours: 24, isLastOk: true }, ['backup']],
    ['failed', { hours: 1, mostHours: 24, isLastOk: false }, ['backup']],
    ['is recent', { hours: 24, mostHours: 24, isLastOk: true }, []],
  ])('returns the correct alarms for a backup that %s', (_how, backup, expected) => {
    expect(alarmsOf({ backup })).toEqual(expected);
  });
});

test('an alarm ends when its fault has been absent for a minute, and continues if the fault returns earlier', () => {
  const alarm = { kind: 'broker', subject: '', sentence: 'Broken.' } as const;
  const open = { ...alarm, absentSince: null };
  const none = { opened: [], ended: [], absent: [], back: [] };
  expect(changesOf([], [alarm], 0)).toEqual({ ...none, opened: [alarm] });
  expect(changesOf([open], [alarm], 0)).toEqual(none);
  expect(changesOf([open], [], 1000)).toEqual({ ...none, absent: [open] });
  const absent = { ...alarm, absentSince: 1000 };
  expect(changesOf([absent], [], 60_999)).toEqual(none);
  expect(changesOf([absent], [alarm], 60_999)).toEqual({ ...none, back: [absent] });
  expect(changesOf([absent], [], 61_000)).toEqual({ ...none, ended: [absent] });
});

test('one message lists all opened and ended alarms', () => {
  const broker = { kind: 'broker', subject: '', sentence: 'The broker is gone.' } as const;
  const clock = { kind: 'clock', subject: 'two', sentence: 'The clock is wrong.' } as const;
  expect(systemAlarmMessage({ opened: [], ended: [] })).toBeUndefined();
  expect(systemAlarmMessage({ opened: [clock], ended: [broker] })).toEqual({
    subject: 'Tocsin system alarm: a clock is wrong: two and 1 more',
    text: 'The clock is wrong.\n\nEnded: The broker is gone.',
  });
  expect(systemAlarmMessage({ opened: [], ended: [broker] })?.subject).toBe(
    'Tocsin system alarm ended: the MQTT broker is not working',
  );
});

test('a role works if a ready process has it and only checks of senders or disks fail', () => {
  const roles = (values: Partial<WatchedProcess>) => [...workingRoles([processOf('one', values)])];
  expect(roles({ checks: [failing('sender E-mail', 99), failing('disk', 99)] })).toEqual(all);
  expect(roles({ checks: [failing('broker', 1)] })).toEqual([]);
  expect(roles({ state: 'draining' })).toEqual([]);
  expect(roles({ silentSeconds: 16 })).toEqual([]);
  expect(roles({ isClockApart: true })).toEqual([]);
});
