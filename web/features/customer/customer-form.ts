import { fieldSentences } from '../../../domain/field-sentences.ts';
import { readPhoneNumber } from '../../../domain/notification/phone-number.ts';
import { type BudgetTexts, budgetProblems, budgetTexts, readBudgets } from '../../../domain/notification/sms-budget.ts';
import {
  type PerformanceTarget,
  performanceTargets,
  targetProblems,
} from '../../../domain/report/performance-targets.ts';
import { isTimeZone } from '../../../domain/week.ts';
import type { CustomerRecord } from './customer.queries.ts';

export type CustomerValues = {
  name: string;
  email: string;
  phone: string;
  timeZone: string | null;
  group2Name: string;
  group3Name: string;
  group4Name: string;
  group5Name: string;
  operatorShelveHours: string;
  managerShelveHours: string;
} & BudgetTexts &
  Record<PerformanceTarget, string>;

export const customerLabels: Readonly<Record<keyof CustomerValues, string>> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone number',
  timeZone: 'Time zone',
  group2Name: 'Name of group level 2',
  group3Name: 'Name of group level 3',
  group4Name: 'Name of group level 4',
  group5Name: 'Name of group level 5',
  operatorShelveHours: 'Maximum shelving time for operators',
  managerShelveHours: 'Maximum shelving time for managers',
  smsDayBudget: 'SMS budget for a day',
  smsMonthBudget: 'SMS budget for a month',
  ...(Object.fromEntries(performanceTargets.map(({ field, label }) => [field, label])) as Record<
    PerformanceTarget,
    string
  >),
};

/** Returns the alarm performance targets of `record`, each converted with `convert`. */
function targetsOf<From, To>(record: Readonly<Record<PerformanceTarget, From>>, convert: (value: From) => To) {
  return Object.fromEntries(performanceTargets.map(({ field }) => [field, convert(record[field])])) as Record<
    PerformanceTarget,
    To
  >;
}

export function seenCustomer({ uuid: _uuid, updatedAt, ...record }: CustomerRecord) {
  const values: CustomerValues = {
    ...record,
    operatorShelveHours: String(record.operatorShelveHours),
    managerShelveHours: String(record.managerShelveHours),
    ...budgetTexts(record),
    ...targetsOf(record, String),
  };
  return { values, mark: updatedAt };
}

/** Converts the form's values to the fields that the server stores. */
export function customerPatch({
  timeZone,
  operatorShelveHours,
  managerShelveHours,
  smsDayBudget,
  smsMonthBudget,
  ...texts
}: CustomerValues) {
  const trimmed = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text.trim()]));
  return {
    ...{ ...trimmed, timeZone },
    ...{ operatorShelveHours: Number(operatorShelveHours), managerShelveHours: Number(managerShelveHours) },
    ...readBudgets({ smsDayBudget, smsMonthBudget }),
    ...targetsOf(texts, Number),
  };
}

function isShelveHours(text: string): boolean {
  const hours = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return hours >= 1 && hours <= 8760;
}

export function customerProblems({
  name,
  email,
  phone,
  timeZone,
  operatorShelveHours,
  managerShelveHours,
  ...numbers
}: CustomerValues): Partial<Record<keyof CustomerValues, string>> {
  return {
    ...(name.trim() === '' && { name: fieldSentences['name-missing'] }),
    ...(!/^([^@\s]+@[^@\s]+)?$/.test(email.trim()) && {
      email: fieldSentences['customer-email'],
    }),
    ...(phone.trim() !== '' &&
      readPhoneNumber(phone) === undefined && {
        phone: fieldSentences['customer-phone'],
      }),
    ...(timeZone === null && { timeZone: 'Choose the time zone.' }),
    ...(timeZone !== null &&
      // The browser formats times, so it must support the time zone.
      !isTimeZone(timeZone) && {
        timeZone: 'This browser does not support this time zone. Choose another time zone with the same local time.',
      }),
    ...(!isShelveHours(operatorShelveHours) && { operatorShelveHours: fieldSentences['shelve-hours'] }),
    ...(!isShelveHours(managerShelveHours) && { managerShelveHours: fieldSentences['shelve-hours'] }),
    ...budgetProblems(numbers),
    ...targetProblems(numbers),
  };
}
