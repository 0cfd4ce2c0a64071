import { describe, expect, test } from 'vitest';
import { METHOD } from './methods.ts';
import { type Candidate, onceKey, repeatKey, stages } from './stages.ts';
import { Suppression } from './suppression.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-15T08:00:00Z');
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
  at: now,
};
const opening = (alarm: number, minutes: number): Candidate => ({
  ...message,
  alarmUuid: `alarm-${alarm}`,
  at: now + minutes * MINUTE,
});
const resolution = (alarm: number, minutes: number): Candidate => ({ ...opening(alarm, minutes), kind: 'resolve' });

/** Formats the sent notifications as `kind alarm minutes`. */
function sentOf({ sent }: Suppression<Candidate>): string[] {
  return sent.map(({ kind, alarmUuid, at }) => `${kind} ${alarmUuid} ${(at - now) / MINUTE}`);
}

function tell(...candidates: Candidate[]) {
  const suppression = new Suppression<Candidate>();
  const held = suppression.submit(candidates);
  return { suppression, held, sent: suppression.sent };
}

describe('a notification', () => {
  test('is sent if no stage suppresses it, in the given order', () => {
    const other = { ...message, personUuid: 'bob', address: '+442079460999' };
    expect(tell(message, other)).toMatchObject({ sent: [message, other], held: [] });
  });

  test('is sent once to an address that two people share', () => {
    const bob = { ...message, personUuid: 'bob', name: 'Bob Hill' };
    const { sent, held } = tell(message, bob);
    expect(sent).toEqual([message]);
    expect(held).toEqual([
      {
        candidate: bob,
        stage: 'once',
        because: 'already-queued',
        sentence: 'Bob Hill already receives this notification by SMS.',
      },
    ]);
  });

  test.each<[string, Partial<Candidate>]>([
    ['another rule', { topic: 'rule-2', alarmUuid: 'alarm-2' }],
    ['another method', { method: METHOD.whatsapp }],
    ['another address', { address: '+442079460999' }],
    ['the resolution', { kind: 'resolve' }],
  ])('does not suppress %s', (_, change) => {
    expect(tell(message, { ...message, ...change }).held).toEqual([]);
  });

  test('treats addresses in capitals as the same mailbox, and no other address', () => {
    const mail: Candidate = { ...message, method: METHOD.email, address: 'Ann@Northmere.example' };
    expect(onceKey(mail)).toBe(onceKey({ ...mail, address: 'ann@northmere.example' }));
    expect(repeatKey(mail)).toBe(repeatKey({ ...mail, address: 'ann@northmere.example' }));
    const push: Candidate = { ...message, method: METHOD.push, address: 'https://push.example/aB' };
    expect(onceKey(push)).not.toBe(onceKey({ ...push, address: 'https://push.example/ab' }));
  });

  test('passes the stages in order', () => {
    expect(stages.map(({ name }) => name)).toEqual(['once', 'flood', 'repeat', 'budget']);
  });
});

describe('an alarm that opened in a flood', () => {
  const flooded = () => new Suppression<Candidate>(undefined, (uuid) => uuid === 'alarm-1');

  test.each<[Candidate['kind'], number]>([
    ['alarm', 0],
    ['action', 0],
    ['health', 0],
    ['escalation', 1],
    ['reminder', 1],
    ['resolve', 0],
  ])('gets its notification of the kind %s into the next digest', (kind, step) => {
    const suppression = flooded();
    const candidate: Candidate = { ...opening(1, 0), kind, step, severity: 'major' };
    const held = suppression.submit([candidate]);
    expect(suppression).toMatchObject({ sent: [], digested: [candidate] });
    expect(held).toMatchObject([{ stage: 'flood', because: 'flood', digest: true }]);
    expect(held[0]?.sentence).toBe('The alarm opened during an alarm flood, so Ann Gray gets it in a digest by SMS.');
  });

  test('is in the digest of each address once', () => {
    const suppression = flooded();
    const bob = { ...opening(1, 0), personUuid: 'bob', name: 'Bob Hill' };
    suppression.submit([opening(1, 0), bob]);
    expect(suppression.digested).toEqual([opening(1, 0)]);
  });

  test('is notified at once if it is critical', () => {
    const suppression = flooded();
    const critical: Candidate = { ...opening(1, 0), severity: 'critical' };
    expect(suppression.submit([critical])).toEqual([]);
    expect(suppression.sent).toEqual([critical]);
  });

  test('is in the digest even if it repeats the previous alarm of its rule', () => {
    const suppression = flooded();
    suppression.submit([opening(2, 0), opening(1, 3)]);
    expect(sentOf(suppression)).toEqual(['alarm alarm-2 0']);
    expect(suppression.digested).toEqual([opening(1, 3)]);
    expect(suppression.deferred.size).toBe(0);
  });

  test('does not change the notifications of an alarm from before the flood', () => {
    const suppression = flooded();
    suppression.submit([opening(2, 0), resolution(2, 1)]);
    expect(sentOf(suppression)).toEqual(['alarm alarm-2 0', 'resolve alarm-2 1']);
  });
});

describe('an opening', () => {
  test('is suppressed within ten minutes of the previous one, and says so', () => {
    const { suppression, held } = tell(opening(1, 0), opening(2, 9.99));
    expect(sentOf(suppression)).toEqual(['alarm alarm-1 0']);
    expect(held).toMatchObject([
      {
        because: 'said-before',
        until: now + 10 * MINUTE,
        sentence:
          'The opening notification to Ann Gray by SMS was deferred. The same address received one for the previous alarm less than 10 minutes earlier. If this alarm is still open when the 10 minutes end, the notification is sent.',
      },
    ]);
    expect(tell(opening(1, 0), opening(2, 10)).held).toEqual([]);
  });

  test('is sent after the resolution of the previous alarm, even at the same moment', () => {
    const { suppression } = tell(opening(1, 0), resolution(1, 0), opening(2, 0), resolution(2, 0), opening(3, 0));
    expect(sentOf(suppression).map((sent) => sent.slice(0, -2))).toEqual([
      'alarm alarm-1',
      'resolve alarm-1',
      'alarm alarm-2',
      'resolve alarm-2',
      'alarm alarm-3',
    ]);
  });

  test('is sent when the ten minutes end, if its alarm is still open', () => {
    const { suppression } = tell(opening(1, 0), opening(2, 3));
    suppression.advance('rule-1', now + 9 * MINUTE);
    expect(sentOf(suppression)).toHaveLength(1);
    suppression.advance('rule-1', now + 12 * MINUTE);
    expect(sentOf(suppression)).toEqual(['alarm alarm-1 0', 'alarm alarm-2 10']);
    expect(suppression.submit([opening(3, 15)]), 'it counts from when it was sent').toMatchObject([
      { until: now + 20 * MINUTE },
    ]);
  });

  test('is cancelled if its alarm is resolved before that', () => {
    const { suppression } = tell(opening(1, 0), opening(2, 3));
    suppression.endAlarm('alarm-2', ({ until }) => until <= now + 9 * MINUTE);
    suppression.advance('rule-1', now + 20 * MINUTE);
    expect(sentOf(suppression)).toEqual(['alarm alarm-1 0']);
  });

  test('is sent if the ten minutes end before its alarm does', () => {
    const { suppression } = tell(opening(1, 0), opening(2, 3));
    suppression.endAlarm('alarm-2', ({ until }) => until <= now + 10 * MINUTE);
    expect(sentOf(suppression)).toEqual(['alarm alarm-1 0', 'alarm alarm-2 10']);
  });

  test('is not sent again if an escalation notified the recipient meanwhile', () => {
    const { suppression } = tell(opening(1, 0), opening(2, 3), { ...opening(2, 5), kind: 'escalation', step: 1 });
    suppression.advance('rule-1', now + 20 * MINUTE);
    expect(sentOf(suppression)).toEqual(['alarm alarm-1 0', 'escalation alarm-2 5']);
  });

  test('is sent once if an alarm and its action notify the same person', () => {
    const { held, suppression } = tell(message, { ...message, kind: 'action' });
    expect(held).toMatchObject([{ sentence: 'The opening notification was already sent to Ann Gray by SMS.' }]);
    expect(suppression.deferred.size).toBe(0);
  });

  test('is suppressed by an escalation, but suppresses no escalation', () => {
    const escalation: Candidate = { ...message, kind: 'escalation', step: 1 };
    const { suppression, held } = tell(escalation, { ...escalation, step: 2 }, { ...message, kind: 'action' });
    expect(suppression.sent).toHaveLength(2);
    expect(held).toHaveLength(1);
  });

  test('is sent if the previous one had a clock that was hours ahead', () => {
    expect(tell(opening(1, 60), opening(2, 0)).held).toEqual([]);
  });
});

describe('a resolution', () => {
  test('is suppressed within ten minutes of the previous one if the recipient gets no openings', () => {
    const { held } = tell(resolution(1, 0), resolution(2, 5));
    expect(held.map(({ sentence }) => sentence)).toEqual([
      'The resolution notification to Ann Gray by SMS was not sent. The same address received one for the previous alarm less than 10 minutes earlier.',
    ]);
    expect(held[0]).not.toHaveProperty('until');
  });

  test('of a shared alarm is sent to those who were notified by another rule', () => {
    const byOther = (candidate: Candidate): Candidate => ({ ...candidate, topic: 'rule-2' });
    const { held } = tell(
      byOther(opening(1, 0)),
      resolution(1, 1),
      byOther(opening(2, 2)),
      resolution(2, 3),
      byOther(opening(3, 4)),
    );
    expect(held).toEqual([]);
  });
});
