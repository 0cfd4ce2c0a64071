import { expect, test } from 'vitest';
import { alarmAccess, can } from './permission.ts';

const person = (level: number, partnerAccount = false) => ({ level, partnerAccount });

test('owners and managers open the alarms of every site, operators those of linked sites', () => {
  for (const level of [0, 5, 9]) expect(alarmAccess(person(level), false)).toEqual({ opens: true });
  for (const level of [10, 20, 100]) {
    expect(alarmAccess(person(level), true)).toEqual({ opens: true });
    expect(alarmAccess(person(level), false)).toEqual({ opens: false, because: 'not-linked' });
  }
});

test('a partner account opens no alarm, whatever its level and links', () => {
  for (const level of [0, 5, 20]) {
    expect(alarmAccess(person(level, true), true)).toEqual({ opens: false, because: 'service-account' });
  }
});

test.each(['alarm.shelve', 'alarm.assign'] as const)(
  '%s is for all who may acknowledge alarms, not for partners',
  (verb) => {
    for (const level of [0, 5, 10, 100]) expect(can(person(level), verb)).toBe(true);
    for (const level of [0, 20]) expect(can(person(level, true), verb)).toBe(false);
  },
);
