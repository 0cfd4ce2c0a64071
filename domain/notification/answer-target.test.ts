import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnswerAlarm, type AnswerPerson, answerTarget } from './answer-target.ts';
import type { Choice } from './answer-texts.ts';

const anna: AnswerPerson = { uuid: 'anna', customerUuid: 'north', name: 'Anna' };
const ben: AnswerPerson = { uuid: 'ben', customerUuid: 'north', name: 'Ben' };
const alarm = (uuid: string, more: Partial<AnswerAlarm> = {}): AnswerAlarm => ({
  ...{ uuid, customerUuid: 'north', name: `Mill: ${uuid}`, resolved: null, acknowledged: null },
  ...more,
});
const ended = { resolved: '2026-03-02 09:00' };
const acknowledged = { acknowledged: { name: 'Ben', at: '2026-03-02 09:00' } };
const choice = (person: AnswerPerson, of: AnswerAlarm): Choice => ({
  ...{ person: person.uuid, personName: person.name, alarm: of.uuid, alarmName: of.name },
});

describe('the alarm that an answer means', () => {
  test('is the only open and unacknowledged one', () => {
    const alarms = [alarm('ended', ended), alarm('high'), alarm('acknowledged', acknowledged)];
    expect(answerTarget(undefined, undefined, alarms, [anna])).toEqual({ kind: 'one', alarm: alarms[1], person: anna });
    expect(answerTarget('A', undefined, alarms, [anna]), 'without a list').toMatchObject({ kind: 'one' });
  });

  test('is asked for if several are open, or if several people have the number', () => {
    const [high, low] = [alarm('high'), alarm('low')];
    expect(answerTarget(undefined, undefined, [high, low], [anna])).toEqual({
      kind: 'several',
      choices: [choice(anna, high), choice(anna, low)],
    });
    expect(answerTarget(undefined, undefined, [high], [anna, ben])).toEqual({
      kind: 'several',
      choices: [choice(anna, high), choice(ben, high)],
    });
    const other: AnswerPerson = { ...ben, customerUuid: 'south' };
    expect(answerTarget(undefined, undefined, [high], [anna, other]), 'of another customer').toMatchObject({
      kind: 'one',
      person: anna,
    });
  });

  test('is the one with the letter in the list, even if further alarms have opened', () => {
    const [high, low, fresh] = [alarm('high'), alarm('low'), alarm('fresh')];
    const list = [choice(anna, high), choice(ben, low)];
    expect(answerTarget('B', list, [fresh, high, low], [anna, ben])).toEqual({
      kind: 'one',
      alarm: low,
      person: ben,
      letter: 'B',
    });
    expect(answerTarget('B', list, [fresh, high, alarm('low', ended)], [anna, ben])).toMatchObject({
      kind: 'closed',
      alarm: { uuid: 'low' },
    });
    expect(answerTarget('B', list, [fresh, high, low], [anna]), 'after Ben has a new number').toMatchObject({
      kind: 'several',
    });
  });

  test('is the last one if all have ended or were acknowledged, and none without a notification', () => {
    const alarms = [alarm('second', acknowledged), alarm('first', ended)];
    expect(answerTarget(undefined, undefined, alarms, [anna])).toEqual({ kind: 'closed', alarm: alarms[0] });
    expect(answerTarget(undefined, undefined, [], [anna])).toEqual({ kind: 'none' });
    expect(answerTarget(undefined, undefined, [alarm('high')], [])).toEqual({ kind: 'none' });
  });

  test('is never one that has ended, was acknowledged or belongs to another customer', () => {
    const alarms = fc.uniqueArray(
      fc.record({
        uuid: fc.constantFrom('a', 'b', 'c', 'd'),
        customerUuid: fc.constantFrom('north', 'south'),
        name: fc.string(),
        resolved: fc.constantFrom(null, ended.resolved),
        acknowledged: fc.constantFrom(null, acknowledged.acknowledged),
      }),
      { selector: ({ uuid }) => uuid },
    );
    const people = fc.subarray([anna, ben, { ...anna, uuid: 'cleo', customerUuid: 'south' }]);
    const lists = fc.option(
      fc.array(fc.record({ person: fc.constantFrom('anna', 'ben', 'gone'), alarm: fc.constantFrom('a', 'b', 'x') })),
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.constantFrom(undefined, 'A', 'B', 'F'), lists, alarms, people, (letter, list, known, users) => {
        const choices = list?.map((one) => ({ ...one, personName: '', alarmName: '' }));
        const target = answerTarget(letter, choices, known, users);
        if (target.kind !== 'one') return;
        expect(target.alarm).toMatchObject({ resolved: null, acknowledged: null });
        expect(users).toContain(target.person);
        expect(target.person.customerUuid).toBe(target.alarm.customerUuid);
      }),
    );
  });
});
