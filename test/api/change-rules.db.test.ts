/** Bulk changes of rules: a call changes either all rules that it specifies or none of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { countRows, list, remove, save, update, type Values } from './api.ts';
import { buildStation, type Station } from './pumps.ts';

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;
let station: Station;
const nobody = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  manager = await app.browser(staff.manager);
  station = await buildStation(app.db, staff.customer);
});
afterAll(() => app?.close());

interface Rule {
  uuid: string;
}

const addRule = (name: string, more: Values = {}) =>
  insertRow<Rule>(app.db, 'tocsin.rule', {
    tocsin_customer_uuid: staff.customer.uuid,
    tocsin_site_uuid: station.site.uuid,
    tocsin_asset_uuid: station.asset.uuid,
    tocsin_datapoint_uuid: station.datapoint.uuid,
    name,
    value_upper: 4,
    debounce: 60,
    ...more,
  });
const change = (rules: readonly Rule[], values: Values, browser = manager) =>
  save(browser, 'changeRules', { rules: rules.map(({ uuid }) => uuid), ...values }, 'changedCount');
const seenOf = async (rules: readonly Rule[]) => {
  const listed = await list(manager, 'rules', 'uuid updatedAt');
  return rules.map(({ uuid }) => listed.find((row) => row.uuid === uuid).updatedAt);
};
const stored = (rules: readonly Rule[]) =>
  Promise.all(
    rules.map(async ({ uuid }) => {
      const [row] = await serviceQuery(
        app.db,
        'select value_lower as lower, value_upper as upper, debounce, priority, version, updated_at from tocsin.rule where uuid = $1',
        [uuid],
      );
      return row;
    }),
  );

test('changes the given fields in all rules, keeps the others, and records each change', async () => {
  const rules = [await addRule('One'), await addRule('Two', { value_lower: 1, value_upper: 6 })];
  const { row, refusal } = await change(rules, { priority: 'high', debounce: 0, valueUpper: 5 });
  expect([row?.changedCount, refusal]).toEqual([2, undefined]);
  const same = { upper: 5, debounce: 0, priority: 'high', version: 2 };
  expect(await stored(rules)).toMatchObject([
    { ...same, lower: null },
    { ...same, lower: 1 },
  ]);
  const recorded = "action = 'rule.update' and row_key = any ($1) and user_display_name = $2";
  const keys = rules.map(({ uuid }) => uuid);
  const [person] = await serviceQuery(app.db, 'select display_name from tocsin.user where uuid = $1', [
    staff.manager.uuid,
  ]);
  expect(await countRows(app.db, 'audit', recorded, [keys, person.display_name])).toBe(2);
});

test('skips a rule that already has the values, and changes a rule that is listed twice only once', async () => {
  const rules = [await addRule('Has it', { debounce: 5 }), await addRule('Gets it')];
  const [has, gets] = await stored(rules);
  app.clock.advance(1000);
  const twice = [...rules, ...rules.slice(1)];
  const { row } = await change(twice, { seen: await seenOf(twice), debounce: 5, valueUpper: 4 });
  expect(row?.changedCount).toBe(1);
  expect(await stored(rules)).toEqual([has, { ...gets, debounce: 5, version: 2, updated_at: expect.anything() }]);
});

test('removes a limit that is set to null, but never the last limit or a required field', async () => {
  const rules = [await addRule('Of two', { value_lower: 1 }), await addRule('Of one')];
  expect(await change(rules, { valueLower: null })).toMatchObject({ row: { changedCount: 1 } });
  const before = await stored(rules);
  expect(before).toMatchObject([{ lower: null, upper: 4 }, before[1]]);
  await update(manager, 'rule', rules[0]?.uuid ?? '', { valueLower: 1, valueUpper: null });
  expect((await change(rules.slice(0, 1), { valueLower: null })).refusal).toEqual({
    code: 'BAD_USER_INPUT',
    field: 'valueLower',
    message: `Of two, ${station.site.name}: Enter a lower limit, an upper limit or both.`,
  });
  for (const [field, sentence] of Object.entries({
    priority: 'Priority is required.',
    debounce: 'Debounce is required.',
  })) {
    const { refusal } = await change(rules, { [field]: null });
    expect(refusal).toEqual({ code: 'BAD_USER_INPUT', field, message: sentence });
  }
  expect(await stored(rules.slice(1))).toEqual(before.slice(1));
});

test('refuses a limit that contradicts the clear limit, at the field of the limit', async () => {
  const rules = [await addRule('Clears late', { value_upper: 8, clear_upper: 6.5 })];
  for (const [limits, field, words] of [
    [{ valueLower: 1, valueUpper: 5 }, 'valueUpper', 'An upper limit of 5 contradicts the upper clear limit of 6.5.'],
    [{ valueLower: 7 }, 'valueLower', 'A lower limit of 7 contradicts the upper clear limit of 6.5.'],
    [
      { valueLower: 1, valueUpper: null },
      'valueUpper',
      'Without an upper limit, the rule cannot keep its upper clear limit of 6.5.',
    ],
  ] as const) {
    expect((await change(rules, limits)).refusal).toEqual({
      code: 'BAD_USER_INPUT',
      field,
      message: `Clears late, ${station.site.name}: ${words} Change or remove the clear limit too.`,
    });
  }
  // If the limits themselves are invalid, the refusal states this and does not mention the clear limit.
  for (const [limits, words] of [
    [{ valueLower: 9 }, 'The lower limit must be below the upper limit.'],
    [{ valueUpper: null }, 'Enter a lower limit, an upper limit or both.'],
  ] as const) {
    const { refusal } = await change(rules, limits);
    expect(refusal).toMatchObject({ field: Object.keys(limits)[0], message: expect.stringContaining(words) });
  }
  expect((await change(rules, { clearUpper: 9 })).refusal?.field).toBe('clearUpper');
  expect((await change(rules, { clearLower: 1 })).refusal?.field).toBe('clearLower');
  expect((await change(rules, { valueLower: -1e305 })).refusal?.field).toBe('valueLower');
  // If the new value is invalid regardless of the rule, the refusal mentions no rule.
  expect((await change(rules, { debounce: -1 })).refusal).toMatchObject({
    field: 'debounce',
    message: expect.stringMatching(/^Enter a whole number of seconds/),
  });
  expect((await change(rules, { valueUpper: 5, clearUpper: null })).refusal).toBeUndefined();
});

test('names a deleted rule', async () => {
  const rules = [await addRule('Stays'), await addRule('Goes')];
  await remove(manager, 'rule', rules[1]?.uuid ?? '');
  expect((await change(rules, { debounce: 5 })).refusal).toEqual({
    code: 'BAD_USER_INPUT',
    field: 'rules',
    message: `Goes, ${station.site.name}: The rule was deleted, or you are not allowed to change it. Choose the rules again.`,
  });
  expect(await stored(rules.slice(0, 1))).toMatchObject([{ debounce: 60 }]);
});

test('names a rule for which the change is invalid, and changes none', async () => {
  const rules = [await addRule('Fits'), await addRule('Full well', { value_lower: 3 })];
  const before = await stored(rules);
  const { refusal } = await change(rules, { debounce: 5, valueUpper: 2 });
  expect(refusal).toEqual({
    code: 'BAD_USER_INPUT',
    field: 'valueUpper',
    message: `Full well, ${station.site.name}: The lower limit must be below the upper limit.`,
  });
  expect(await stored(rules)).toEqual(before);
});

test('names a rule that was changed after it was read, and changes none', async () => {
  const rules = [await addRule('Left alone'), await addRule('Changed meanwhile')];
  const seen = await seenOf(rules);
  app.clock.advance(1000);
  await update(manager, 'rule', rules[1]?.uuid ?? '', { debounce: 7 });
  const before = await stored(rules);
  const { refusal } = await change(rules, { seen, priority: 'low' });
  expect(refusal).toEqual({
    code: 'CONFLICT',
    message: `Changed meanwhile, ${station.site.name}: The record was changed in the meantime. Reload it, then make your change again.`,
  });
  expect(await stored(rules)).toEqual(before);
  expect((await change(rules.slice(0, 1), { seen, priority: 'low' })).refusal?.field).toBe('seen');
  expect((await change(rules.slice(0, 1), { seen: seen.slice(0, 1), priority: 'low' })).refusal).toBeUndefined();
});

test.each([
  ['no rule', () => [], { debounce: 1 }, 'You can change 1 to 1,000 rules at a time.'],
  ['nothing new', (rule: Rule) => [rule], {}, 'Nothing was changed, because the request contains no new value.'],
  [
    'a deleted rule',
    (rule: Rule) => [rule, { ...rule, uuid: nobody }],
    { debounce: 1 },
    `${nobody}: The rule was deleted`,
  ],
  ['too many', (rule: Rule) => Array(1001).fill(rule), { debounce: 1 }, 'You can change 1 to 1,000 rules at a time.'],
])('refuses %s as a whole', async (_what, which, values, sentence) => {
  const rule = await addRule('Refused');
  const { refusal } = await change(which(rule), values);
  expect(refusal).toMatchObject({ code: 'BAD_USER_INPUT', field: 'rules' });
  expect(refusal?.message).toMatch(sentence);
  expect(await stored([rule])).toMatchObject([{ debounce: 60, version: 1 }]);
});

test('refuses operators and other customers', async () => {
  const rule = await addRule('Not theirs');
  for (const person of [staff.operator, (await app.staff()).owner]) {
    const { refusal } = await change([rule], { debounce: 1 }, await app.browser(person));
    expect(refusal).toBeDefined();
  }
  expect(await stored([rule])).toMatchObject([{ debounce: 60 }]);
});
