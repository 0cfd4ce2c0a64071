import { describe, expect, test } from 'vitest';
import { METHOD } from './methods.ts';
import { type Candidate, onceKey, repeatKey, runStages, type StageFacts, stages } from './stages.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-15T08:00:00Z');
const fresh: StageFacts = { now, alreadyQueued: new Set(), lastSent: new Map() };
const message: Candidate = {
  personUuid: 'ann',
  name: 'Ann Gray',
  method: METHOD.sms,
  address: '+442079460123',
  text: 'Northmere 4: level is 3.5 m',
  topic: 'rule-1',
  kind: 'alarm',
  step: 0,
  alarmUuid: 'alarm-1',
};

const becauses = (candidates: Candidate[], facts: StageFacts) =>
  runStages(candidates, facts).held.map(({ stage, because }) => `${stage}: ${because}`);

describe('a message to a person', () => {
  test('goes out when nothing speaks against it, in the order given', () => {
    const other = { ...message, personUuid: 'bob', address: '+442079460999' };
    expect(runStages([message, other], fresh)).toEqual({ send: [message, other], held: [] });
  });

  test('is queued once for an alarm, even where its step runs again', () => {
    const facts = { ...fresh, alreadyQueued: new Set([onceKey(message)]) };
    expect(runStages([message], facts)).toEqual({
      send: [],
      held: [
        {
          candidate: message,
          stage: 'once',
          because: 'already-queued',
          sentence: 'Ann Gray gets this by SMS already.',
        },
      ],
    });
  });

  test('goes once to an address that two people share', () => {
    const bob = { ...message, personUuid: 'bob', name: 'Bob Hill' };
    const { send, held } = runStages([message, bob], fresh);
    expect(send).toEqual([message]);
    expect(held.map(({ candidate }) => candidate.name)).toEqual(['Bob Hill']);
  });

  test.each<[string, Partial<Candidate>]>([
    ['another alarm', { alarmUuid: 'alarm-2' }],
    ['another kind', { kind: 'resolve' }],
    ['another step', { kind: 'escalation', step: 2 }],
    ['another way', { method: METHOD.whatsapp }],
    ['another address', { address: '+442079460999' }],
  ])('is not held back by %s', (_, change) => {
    const facts = { ...fresh, alreadyQueued: new Set([onceKey({ ...message, ...change })]) };
    expect(runStages([message], facts).held).toEqual([]);
  });

  test('an address in capitals is the same mailbox, and nothing else', () => {
    const mail: Candidate = { ...message, method: METHOD.email, address: 'Ann@Northmere.example' };
    expect(onceKey(mail)).toBe(onceKey({ ...mail, address: 'ann@northmere.example' }));
    expect(repeatKey(mail)).toBe(repeatKey({ ...mail, address: 'ann@northmere.example' }));
    const push: Candidate = { ...message, method: METHOD.push, address: 'https://push.example/aB' };
    expect(onceKey(push)).not.toBe(onceKey({ ...push, address: 'https://push.example/ab' }));
  });
});

describe('the same thing', () => {
  const saidAt = (at: number): StageFacts => ({ ...fresh, lastSent: new Map([[repeatKey(message), at]]) });

  test('is not said again within ten minutes, whatever alarm, value and time it names', () => {
    const again: Candidate = { ...message, alarmUuid: 'alarm-2', text: 'Northmere 4: level is 3.9 m' };
    expect(becauses([again], saidAt(now - 10 * MINUTE + 1))).toEqual(['repeat: said-before']);
    expect(becauses([again], saidAt(now - 10 * MINUTE))).toEqual([]);
    expect(runStages([again], saidAt(now - MINUTE)).held[0]?.sentence).toBe(
      'Ann Gray was told the same by SMS less than 10 minutes before.',
    );
  });

  test('is said once where an alarm and its action tell the same person', () => {
    const action: Candidate = { ...message, kind: 'action' };
    expect(becauses([message, action], fresh)).toEqual(['repeat: said-before']);
  });

  test('another rule, that it is over, another way or another address are no repetition', () => {
    const others: Candidate[] = [
      { ...message, topic: 'rule-2' },
      { ...message, kind: 'resolve', text: 'Northmere 4: resolved' },
      { ...message, method: METHOD.whatsapp },
      { ...message, address: '+442079460999' },
    ];
    expect(becauses(others, saidAt(now))).toEqual([]);
  });

  test('is said again by an escalation, which counts for what comes after', () => {
    const escalation: Candidate = { ...message, kind: 'escalation', step: 1 };
    const second: Candidate = { ...escalation, step: 2 };
    const action: Candidate = { ...message, kind: 'action' };
    expect(runStages([escalation, second], saidAt(now)).send).toEqual([escalation, second]);
    expect(becauses([escalation, action], fresh)).toEqual(['repeat: said-before']);
  });

  test('a clock that was hours ahead does not keep people from being told', () => {
    expect(becauses([message], saidAt(now + 60 * MINUTE))).toEqual([]);
  });
});

test('what was given stays as it was', () => {
  const facts: StageFacts = { now, alreadyQueued: new Set(), lastSent: new Map() };
  runStages([message, message], facts);
  expect(facts.alreadyQueued.size + facts.lastSent.size).toBe(0);
});

test('the stages are one list in the order in which they are asked', () => {
  expect(stages.map(({ name }) => name)).toEqual(['once', 'repeat']);
  expect(becauses([message, message], fresh)).toEqual(['once: already-queued']);
});
