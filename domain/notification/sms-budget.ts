import { fieldSentences } from '../field-sentences.ts';
import type { Severity } from '../rule/priority.ts';

/** An SMS budget counts billed segments by day and by month in the customer's time zone. Null means no limit. */
export interface SmsBudget {
  day: number | null;
  month: number | null;
}

export type BudgetPeriod = 'day' | 'month';
export const budgetPeriods: readonly BudgetPeriod[] = ['day', 'month'];

/** The budget of a company or unit office, and the segments that it has used today and this month. */
export interface SmsAccount {
  uuid: string;
  /** Name of the unit office; null for the company. */
  office: string | null;
  budget: SmsBudget;
  used: Record<BudgetPeriod, number>;
}

/** A budget that does not have enough segments left for an SMS. */
export interface UsedUpBudget {
  office: string | null;
  period: BudgetPeriod;
}

/** Percentage of a budget at which owners are warned. The SMS report has a mark at this percentage. */
export const WARNING_PERCENT = 80;

const LARGEST_BUDGET = 1_000_000;

/** Returns whether an SMS about an alarm of this severity is sent even if the budget is used up. */
export function isSentAlways(severity: Severity | undefined): boolean {
  return severity !== 'minor' && severity !== 'silent';
}

/** Returns the first budget that the segments would exceed; undefined if they would exceed none. */
export function usedUpBudget(accounts: readonly SmsAccount[], segments: number): UsedUpBudget | undefined {
  for (const { office, budget, used } of accounts) {
    for (const period of budgetPeriods) {
      const limit = budget[period];
      if (limit !== null && used[period] + segments > limit) return { office, period };
    }
  }
  return undefined;
}

/** Returns the periods in which at least 80 % of the budget is used. */
export function warnedPeriods({ budget, used }: Pick<SmsAccount, 'budget' | 'used'>): BudgetPeriod[] {
  return budgetPeriods.filter((period) => {
    const limit = budget[period];
    return limit !== null && used[period] * 100 >= limit * WARNING_PERCENT;
  });
}

const periodNames: Readonly<Record<BudgetPeriod, string>> = { day: 'today', month: 'this month' };

/** Returns the name of a budget for a sentence: `the company's SMS budget for today`. */
export function budgetName({ office, period }: UsedUpBudget): string {
  const whose = office === null ? "the company's SMS budget" : `the SMS budget of ${office}`;
  return `${whose} for ${periodNames[period]}`;
}

/** Returns the subject and text that warn the owners of a nearly used budget. */
export function budgetWarning(
  { office, budget, used }: SmsAccount,
  period: BudgetPeriod,
): { subject: string; text: string } {
  const limit = budget[period] ?? 0;
  const share = Math.floor((used[period] * 100) / limit);
  const name = budgetName({ office, period });
  const counts = `${used[period].toLocaleString('en')} of ${limit.toLocaleString('en')} segments (${share} %)`;
  return {
    subject: `${name[0]?.toUpperCase()}${name.slice(1)}: ${share} % used`.slice(0, 200),
    text: `${counts} of ${name} are used. When the budget is used up, recipients get minor and silent alarms by their other methods only. Critical and major alarms are still sent by SMS. An owner can change the budget in the admin area.`,
  };
}

/** The two budget fields of a form, as text. An empty field means no limit. */
export type BudgetTexts = { smsDayBudget: string; smsMonthBudget: string };
type StoredBudgets = Record<keyof BudgetTexts, number | null>;

export function budgetTexts({ smsDayBudget, smsMonthBudget }: StoredBudgets): BudgetTexts {
  return { smsDayBudget: smsDayBudget?.toString() ?? '', smsMonthBudget: smsMonthBudget?.toString() ?? '' };
}

/** Parses the budget fields, which must have passed `budgetProblems`. */
export function readBudgets({ smsDayBudget, smsMonthBudget }: BudgetTexts): StoredBudgets {
  return { smsDayBudget: readBudget(smsDayBudget) ?? null, smsMonthBudget: readBudget(smsMonthBudget) ?? null };
}

/** Returns an error for each invalid field. */
export function budgetProblems({
  smsDayBudget,
  smsMonthBudget,
}: BudgetTexts): Partial<Record<keyof BudgetTexts, string>> {
  const [day, month] = [readBudget(smsDayBudget), readBudget(smsMonthBudget)];
  const isAbove = typeof day === 'number' && typeof month === 'number' && day > month;
  return {
    ...(day === undefined && { smsDayBudget: fieldSentences['sms-budget'] }),
    ...(isAbove && { smsDayBudget: fieldSentences['sms-budget-order'] }),
    ...(month === undefined && { smsMonthBudget: fieldSentences['sms-budget'] }),
  };
}

/** Parses a budget. Returns null for an empty field and undefined for invalid text. */
export function readBudget(text: string): number | null | undefined {
  const written = text.trim();
  if (written === '') return null;
  const budget = /^\d{1,7}$/.test(written) ? Number(written) : 0;
  return budget >= 1 && budget <= LARGEST_BUDGET ? budget : undefined;
}
