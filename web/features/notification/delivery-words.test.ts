import { describe, expect, test } from 'vitest';
import { deliveryNotices } from './delivery-words.ts';

const unset = (methodType: number, messages: number, alarms: number, since: string) => ({
  ...{ methodType, cause: 'no-sender', messages, alarms, since, answer: 'Kept in the outbox.' },
});
const problems = [
  unset(1, 5, 4, '2026-11-18T08:00:00Z'),
  unset(2, 2, 2, '2026-11-18T07:00:00Z'),
  unset(3, 3, 2, '2026-11-18T09:00:00Z'),
];

describe('delivery notices', () => {
  test('name all methods without a sender in one sentence, since the first message', () => {
    expect(deliveryNotices(problems, false, true)).toEqual([
      {
        words:
          'No sender is set up for e-mail, WhatsApp and SMS, so nobody is notified this way. 10 messages about alarms were not delivered.',
        isLoud: true,
        since: '2026-11-18T07:00:00Z',
        link: 'Set up a sender',
      },
    ]);
  });

  test('count the alarms of a single method', () => {
    const [notice] = deliveryNotices([unset(3, 3, 2, '2026-11-18T09:00:00Z')], false, true);
    expect(notice?.words).toBe(
      'No sender is set up for SMS, so nobody is notified this way. 3 messages about 2 alarms were not delivered.',
    );
  });

  test('include the response of a failing sender', () => {
    const failing = { ...unset(3, 1, 0, '2026-11-18T09:00:00Z'), cause: 'failing', answer: 'The gateway says 503.' };
    expect(deliveryNotices([failing], false, true)[0]?.words).toBe(
      'SMS cannot be sent: the SMS sender is failing (The gateway says 503). 1 message was not delivered.',
    );
  });

  test('are highlighted in a demo only if a sender fails, not if none is set up', () => {
    const failing = { ...unset(3, 1, 1, '2026-11-18T09:00:00Z'), cause: 'failing', answer: 'timeout.' };
    const [calm, loud] = deliveryNotices([...problems, failing], true, true);
    expect(calm).toMatchObject({
      words: 'This demo keeps e-mail, WhatsApp and SMS messages in the outbox.',
      isLoud: false,
      link: 'See Senders',
    });
    expect(loud).toMatchObject({
      words: 'SMS cannot be sent: the SMS sender is failing (timeout). 1 message about 1 alarm was not delivered.',
      isLoud: true,
    });
  });

  test('tell a manager of a demo that only an owner can read the outbox', () => {
    expect(deliveryNotices(problems, true, false)).toMatchObject([
      {
        words: 'This demo keeps e-mail, WhatsApp and SMS messages in the outbox. Only an owner can read them.',
        isLoud: false,
        link: null,
      },
    ]);
  });

  test('link a manager to the page Senders if a sender is missing or fails', () => {
    const failing = { ...unset(3, 1, 1, '2026-11-18T09:00:00Z'), cause: 'failing', answer: 'timeout.' };
    const links = deliveryNotices([...problems, failing], false, false).map(({ link }) => link);
    expect(links).toEqual(['Set up a sender', 'See Senders']);
  });
});
