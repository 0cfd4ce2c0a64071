import { describe, expect, test } from 'vitest';
import { formatAge } from '../../ui/time/format.ts';
import { deliveryText, lifeOf, type Message, purposeOf } from './notification-life.ts';

const base: Message = {
  methodType: 3,
  kind: 'alarm',
  step: 0,
  shownState: 'queued',
  attempts: 1,
  notifyTime: '2026-11-12T14:06:02Z',
  nextAttemptAt: null,
  sentAt: null,
  deliveredAt: null,
  failedAt: null,
  providerAnswer: '',
  attemptLog: [],
};

describe('the state of a message', () => {
  test.each<[Partial<Message>, string]>([
    [{ shownState: 'delivered', deliveredAt: '2026-11-12T14:06:09Z' }, 'delivered after 7 s'],
    [{ shownState: 'delivered' }, 'delivered'],
    [{ shownState: 'failed', attempts: 3, providerAnswer: 'number unreachable' }, 'failed 3 times, number unreachable'],
    [{ shownState: 'failed' }, 'failed'],
    [{ shownState: 'sent' }, 'sent, not confirmed yet'],
    [{ shownState: 'sent', sentAt: '2026-11-12T14:06:04Z' }, 'sent after 2 s, not confirmed yet'],
    [{ shownState: 'sent', sentAt: '2026-11-12T14:06:04Z', methodType: 2 }, 'sent after 2 s, not confirmed yet'],
    [{ shownState: 'sent', sentAt: '2026-11-12T14:06:04Z', methodType: 1 }, 'sent after 2 s'],
    [{ shownState: 'sent', methodType: 4 }, 'sent'],
    [{ shownState: 'kept' }, 'not sent, no sender is set up'],
    [{ shownState: 'queued', attempts: 0 }, 'waiting to be sent'],
    [{ shownState: 'queued', attempts: 1 }, 'not sent yet, tried once'],
    [{ shownState: 'queued', attempts: 4 }, 'not sent yet, tried 4 times'],
  ])('%j has the text %s', (fields, words) =>
    expect(deliveryText({ ...base, ...fields }, formatAge).replaceAll('\u00a0', ' ')).toBe(words),
  );
});

describe('the steps of a message', () => {
  const attemptLog = [
    { at: '2026-11-12T14:06:03Z', outcome: 'retry', answer: 'The gateway answered 503.' },
    { at: '2026-11-12T14:06:33Z', outcome: 'sent', answer: 'Accepted (201).' },
  ];

  test('include every attempt with the provider’s response', () => {
    const life = lifeOf({
      ...base,
      shownState: 'delivered',
      deliveredAt: '2026-11-12T14:06:40Z',
      attempts: 2,
      attemptLog,
    });
    expect(life).toEqual([
      { at: base.notifyTime, words: 'Queued', answer: '' },
      { at: '2026-11-12T14:06:03Z', words: 'Could not be sent', answer: 'The gateway answered 503.' },
      { at: '2026-11-12T14:06:33Z', words: 'Sent to provider', answer: 'Accepted (201).' },
      { at: '2026-11-12T14:06:40Z', words: 'Delivered', answer: '' },
    ]);
  });

  test('end with the delivery or failure that the provider reported', () => {
    const reported = (outcome: string, answer: string) => [
      ...attemptLog,
      { at: '2026-11-12T14:06:40Z', outcome, answer },
    ];
    const arrived = lifeOf({
      ...{ ...base, shownState: 'delivered', deliveredAt: '2026-11-12T14:06:40Z' },
      attemptLog: reported('delivered', 'delivered'),
    });
    expect(arrived.map(({ words }) => words)).toEqual(['Queued', 'Could not be sent', 'Sent to provider', 'Delivered']);
    const lost = lifeOf({ ...base, shownState: 'failed', attemptLog: reported('failed', 'The phone is off.') });
    expect(lost.at(-1)).toEqual({ at: '2026-11-12T14:06:40Z', words: 'Not delivered', answer: 'The phone is off.' });
  });

  test('say that a message in the outbox was not sent, and who can read it', () => {
    const kept = { at: '2026-11-12T14:06:03Z', outcome: 'sent', answer: 'Kept in the outbox.' };
    const words = ({ words }: { words: string }) => words;
    expect(lifeOf({ ...base, shownState: 'kept', attemptLog: [kept] }).map(words)).toEqual(['Queued', 'Not sent']);
    expect(lifeOf({ ...base, shownState: 'kept', sentAt: kept.at }).map(words)).toEqual(['Queued', 'Not sent']);
    const told = lifeOf({ ...base, shownState: 'kept', attemptLog: [kept] }).map(({ answer }) => answer);
    expect(told).toEqual(['', 'No sender is set up. An owner can find the message in the outbox.']);
  });

  test('include the time of the next attempt', () => {
    const nextAttemptAt = '2026-11-12T14:07:03Z';
    const life = lifeOf({ ...base, nextAttemptAt, attemptLog: attemptLog.slice(0, 1) });
    expect(life.at(-1)).toEqual({ at: nextAttemptAt, words: 'Next attempt', answer: '' });
  });

  test('use the last times of an old message without an attempt log', () => {
    const failedAt = '2026-11-12T14:09:00Z';
    const life = lifeOf({ ...base, shownState: 'failed', failedAt, providerAnswer: 'number unreachable' });
    expect(life.slice(1)).toEqual([{ at: failedAt, words: 'Failed', answer: 'number unreachable' }]);
  });

  test.each([null, 'x', [null], [{ at: 'soon' }]])('ignore the invalid attempt log %j', (log) => {
    expect(lifeOf({ ...base, attemptLog: log })).toHaveLength(1);
  });
});

test.each([
  ['alarm', 0, ''],
  ['escalation', 2, 'escalation 2'],
  ['resolve', 0, 'resolution'],
])('a message of kind %s and step %d has the purpose %j', (kind, step, words) =>
  expect(purposeOf({ kind, step })).toBe(words),
);
