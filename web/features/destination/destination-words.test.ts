import { describe, expect, test } from 'vitest';
import { deliveryText, kindLabel, stateLabel } from './destination-words.ts';

const shown = { attempts: 1, responseCode: 204, answer: '' };

describe('the state of a delivery', () => {
  test.each([
    [{ ...shown, state: 'sent' }, 'Sent (204)'],
    [{ ...shown, state: 'sent', attempts: 3 }, 'Sent after 3 attempts (204)'],
    [{ ...shown, state: 'failed', responseCode: 410 }, 'Failed after 1 attempt (410)'],
    [{ ...shown, state: 'queued', attempts: 0, responseCode: null }, 'Waiting'],
    [
      { ...shown, state: 'queued', attempts: 2, responseCode: 503 },
      'Waiting for another attempt after 2 attempts (503)',
    ],
  ])('names attempts and response: %j', (delivery, text) => {
    expect(deliveryText(delivery)).toBe(text);
  });
});

test('an unknown kind or state is shown unchanged', () => {
  expect([kindLabel('slack'), kindLabel('pager'), stateLabel('failed'), stateLabel('held')]).toEqual([
    'Slack',
    'pager',
    'Failed',
    'held',
  ]);
});
