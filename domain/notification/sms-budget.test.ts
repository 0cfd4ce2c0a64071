import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldSentences } from '../field-sentences.ts';
import { METHOD, type MethodType } from './methods.ts';
import {
  budgetProblems,
  budgetWarning,
  isSentAlways,
  readBudget,
  type SmsAccount,
  type UsedUpBudget,
  usedUpBudget,
  warnedPeriods,
} from './sms-budget.ts';
import { type Candidate, onceKey } from './stages.ts';
import { type SmsBudgetFacts, Suppression } from './suppression.ts';

const MINUTE = 60_000;
const account = (budget: SmsAccount['budget'], used: SmsAccount['used'], office: string | null = null): SmsAccount => ({
  uuid: 'u',
  office,
  budget,
  used,
});

describe('a budget', () => {
  test('has room until an SMS would exceed the day or the month', () => {
    const accounts = [account({ day: 10, month: 50 }, { day: 8, month: 48 })];
    expect(usedUpBudget(accounts, 2)).toBeUndefined();
    expect(usedUpBudget(accounts, 3)).toEqual({ office: null, period: 'day' });
    expect(usedUpBudget([account({ day: null, month: 50 }, { day: 48, month: 49 })], 2)).toEqual({
      office: null,
      period: 'month',
    });
  });

  test('of a unit office applies as well as the budget of the company', () => {
    const company = account({ day: 100, month: null }, { day: 10, month: 10 });
    const office = account({ day: 10, month: null }, { day: 10, month: 10 }, 'North');
    expect(usedUpBudget([company, office], 1)).toEqual({ office: 'North', period: 'day' });
    expect(usedUpBudget([], 1)).toBeUndefined();
  });

  test('never suppresses SMS about critical and major alarms, or alarms of unknown severity', () => {
    expect(['critical', 'major', undefined].map((severity) => isSentAlways(severity as never))).toEqual([
      true,
      true,
      true,
    ]);
    expect([isSentAlways('minor'), isSentAlways('silent')]).toEqual([false, false]);
  });

  test.each([
    [79, []],
    [80, ['day']],
    [120, ['day']],
  ])('warns of the day from 80 percent on: %i of 100 segments', (day, periods) => {
    expect(warnedPeriods(account({ day: 100, month: null }, { day, month: 1000 }))).toEqual(periods);
  });

  test('is named in the warning with its share, rounded down', () => {
    const { subject, text } = budgetWarning(
      account({ day: 3, month: 1200 }, { day: 3, month: 1000 }, 'North'),
      'month',
    );
    expect(subject).toBe('The SMS budget of North for this month: 83 % used');
    expect(text).toContain('1,000 of 1,200 segments (83 %) of the SMS budget of North for this month are used.');
  });
});

describe('the fields of a budget', () => {
  test.each(['0', '-5', '1.5', 'ten', '1000001', '12345678'])('refuse %j', (text) => {
    expect(readBudget(text)).toBeUndefined();
    expect(budgetProblems({ smsDayBudget: text, smsMonthBudget: text })).toEqual({
      smsDayBudget: fieldSentences['sms-budget'],
      smsMonthBudget: fieldSentences['sms-budget'],
    });
  });

  test('can be empty, and the day is at most the month', () => {
    expect([readBudget(' '), readBudget(' 20 '), readBudget('1000000')]).toEqual([null, 20, 1_000_000]);
    expect(budgetProblems({ smsDayBudget: '', smsMonthBudget: '5' })).toEqual({});
    expect(budgetProblems({ smsDayBudget: '5', smsMonthBudget: '5' })).toEqual({});
    expect(budgetProblems({ smsDayBudget: '6', smsMonthBudget: '5' })).toEqual({
      smsDayBudget: fieldSentences['sms-budget-order'],
    });
  });
});

/** An SMS budget, counted in segments. Every SMS in these tests is one segment long. */
class Segments implements SmsBudgetFacts<Candidate> {
  used = 0;
  /** SMS messages of the current event that were sent over budget although the budget could have suppressed them. */
  readonly beyond: Candidate[] = [];
  step = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  usedUp(): UsedUpBudget | undefined {
    return usedUpBudget([account({ day: this.limit, month: null }, { day: this.used, month: 0 })], 1);
  }

  count(candidate: Candidate): void {
    const { method, severity, others = [], step } = candidate;
    if (method !== METHOD.sms) return;
    this.used += 1;
    if (this.used > this.limit && !isSentAlways(severity) && others.length > 0 && step === this.step) {
      this.beyond.push(candidate);
    }
  }
}

const people = fc.uniqueArray(
  fc.record({
    uuid: fc.constantFrom('ann', 'bob', 'cat', 'dan'),
    methods: fc.subarray<MethodType>([METHOD.email, METHOD.whatsapp, METHOD.sms], { minLength: 1 }),
    sharesMail: fc.boolean(),
  }),
  { selector: ({ uuid }) => uuid, minLength: 1 },
);
const event = fc.record({
  rule: fc.integer({ min: 1, max: 2 }),
  minutes: fc.integer({ min: 0, max: 15 }),
  kind: fc.constantFrom('alarm', 'resolve', 'escalation', 'health' as const),
  severity: fc.constantFrom('critical', 'major', 'minor', 'silent' as const),
});

test('leaves no recipient without a notification, and minor alarms never exceed the budget', () => {
  fc.assert(
    fc.property(people, fc.array(event, { maxLength: 25 }), fc.integer({ min: 0, max: 6 }), (all, events, limit) => {
      const budget = new Segments(limit);
      const limited = new Suppression<Candidate>(budget);
      const roomy = new Suppression<Candidate>(new Segments(1000));
      const free = new Suppression<Candidate>();
      const addressOf = (method: MethodType, { uuid, sharesMail }: { uuid: string; sharesMail: boolean }) =>
        method === METHOD.email && sharesMail ? 'desk' : uuid;
      let at = 0;
      events.forEach(({ rule, minutes, kind, severity }, step) => {
        at += minutes * MINUTE;
        budget.step = step;
        const drafts = all.flatMap((person) =>
          person.methods.map((method): Candidate => {
            const others = person.methods
              .filter((other) => other !== METHOD.sms)
              .map((other) => ({ method: other, address: addressOf(other, person) }));
            return {
              ...{ personUuid: person.uuid, name: person.uuid, method, address: addressOf(method, person), text: '' },
              ...{ topic: `rule ${rule}`, alarmUuid: `alarm ${step}`, kind, step, at, severity },
              ...(method === METHOD.sms && { others }),
            };
          }),
        );
        const held = limited.submit(drafts);
        for (const suppression of [roomy, free]) suppression.submit(drafts);
        for (const { uuid, methods } of all) {
          const mine = drafts.filter(({ personUuid }) => personUuid === uuid);
          const reasons = held
            .filter(({ candidate }) => candidate.personUuid === uuid && candidate.step === step)
            .map(({ because }) => because);
          const isNotified = mine.some((candidate) => limited.queued.has(onceKey(candidate)));
          // A repeat is suppressed regardless of the budget.
          expect(isNotified || reasons.includes('said-before')).toBe(true);
          if (methods.every((method) => method === METHOD.sms) || isSentAlways(severity)) {
            expect(reasons).not.toContain('budget');
          }
        }
      });
      expect(budget.beyond).toEqual([]);
      expect(roomy.sent).toEqual(free.sent);
    }),
  );
});
