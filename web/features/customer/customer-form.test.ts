import { expect, test } from 'vitest';
import { customerPatch, customerProblems } from './customer-form.ts';

const levels = { group2Name: '', group3Name: '', group4Name: '', group5Name: '' };
const hours = { operatorShelveHours: '24', managerShelveHours: '168', smsDayBudget: '', smsMonthBudget: '' };
const targets = {
  ...{ dayAlarmsTarget: '150', dayAlarmsLimit: '300', periodAlarmsTarget: '1', periodAlarmsLimit: '2' },
  ...{ floodEndAlarms: '5', staleHours: '24', staleTarget: '5', busyShareTarget: '1', floodShareTarget: '1' },
  ...{ topRulesShareTarget: '5', majorShareTarget: '15', criticalShareTarget: '5' },
};
const fine = {
  name: 'Example Water',
  email: '',
  phone: '',
  timeZone: 'Europe/Berlin',
  ...levels,
  ...hours,
  ...targets,
};

test('requires a name and a time zone, and a valid or empty e-mail and phone number', () => {
  expect(customerProblems(fine)).toEqual({});
  expect(customerProblems({ ...fine, email: 'office@company.com' })).toEqual({});
  expect(customerProblems({ ...fine, phone: ' +49 (0)30 123-4567 ' })).toEqual({});
  const wrong = { name: ' ', email: 'office', phone: '12ab', timeZone: null, ...levels, ...hours, ...targets };
  expect(Object.keys(customerProblems(wrong))).toEqual(['name', 'email', 'phone', 'timeZone']);
  expect(Object.keys(customerProblems({ ...fine, phone: '030 1234567' }))).toEqual(['phone']);
});

test('refuses a time zone that the browser does not know', () => {
  expect(Object.keys(customerProblems({ ...fine, timeZone: 'Europe/Nowhere' }))).toEqual(['timeZone']);
});

test.each(['', '0', '1.5', '-1', '8761', 'ten'])('refuses %j as the longest shelving', (text) => {
  expect(customerProblems({ ...fine, operatorShelveHours: text })).toEqual({
    operatorShelveHours: 'Enter a whole number of hours from 1 to 8,760 (one year).',
  });
  expect(Object.keys(customerProblems({ ...fine, managerShelveHours: text }))).toEqual(['managerShelveHours']);
});

test.each(['0', '-1', '1.5', 'ten', '1000001'])('refuses %j as an SMS budget', (text) => {
  const sentence = 'Enter a whole number of segments from 1 to 1,000,000, or leave the field empty.';
  expect(customerProblems({ ...fine, smsDayBudget: text })).toEqual({ smsDayBudget: sentence });
  expect(customerProblems({ ...fine, smsMonthBudget: text })).toEqual({ smsMonthBudget: sentence });
});

test('refuses a budget for a day above the budget for a month, and sends an empty field as no limit', () => {
  expect(customerProblems({ ...fine, smsDayBudget: '11', smsMonthBudget: '10' })).toEqual({
    smsDayBudget: 'Enter a number that is at most the monthly budget.',
  });
  expect(customerPatch({ ...fine, smsDayBudget: ' 5 ' })).toMatchObject({ smsDayBudget: 5, smsMonthBudget: null });
});
