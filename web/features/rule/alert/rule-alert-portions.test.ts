import { expect, test } from 'vitest';
import { PORTION, wholeRuleAlert } from './rule-alert-portions.ts';

/** Returns a fake server response: a rule alert with the given numbers of people and reasons. */
function alertWith(told: number, escalated: number, reasons: number) {
  const asked: number[] = [];
  const listOf = (count: number, offset: number) => ({
    totalCount: count,
    nodes: Array.from({ length: count }, (_, index) => ({ uuid: `${index + 1}` })).slice(offset, offset + PORTION),
  });
  const portion = async (offset: number) => {
    asked.push(offset);
    return {
      ...{ uuid: 'alert', updatedAt: `at ${offset}`, ruleAlertUsers: listOf(told, offset) },
      ...{ ruleEscalateUsers: listOf(escalated, offset), reasons: listOf(reasons, offset) },
    };
  };
  return { asked, portion };
}

test.each([
  [3, 1, 0, [0]],
  [200, 200, 200, [0]],
  [230, 1, 2, [0, 200]],
  [1, 230, 0, [0, 200]],
  [401, 230, 201, [0, 200, 400]],
])(
  'loads %i recipients, %i escalation recipients and %i reasons, each once',
  async (told, escalated, reasons, asks) => {
    const { asked, portion } = alertWith(told, escalated, reasons);
    const whole = await wholeRuleAlert(portion);
    expect(asked).toEqual(asks);
    const sizes = [whole?.people, whole?.escalates, whole?.reasons].map(
      (list) => new Set(list?.map(({ uuid }) => uuid)).size,
    );
    expect(sizes).toEqual([told, escalated, reasons]);
    // The `updatedAt` of the first portion is used to detect a conflicting change when saving.
    expect(whole).toMatchObject({ uuid: 'alert', updatedAt: 'at 0' });
  },
);

test('returns null for a missing rule alert', async () => {
  expect(await wholeRuleAlert(async () => undefined)).toBeNull();
});
