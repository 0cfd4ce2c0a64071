/** Several rules are given the same in one call: all of them, or none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/app.ts';
import { insertRow, serviceQuery } from '../harness/factories.ts';
import { countRows, list, save, update, type Values } from './api.ts';
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
const stored = (rules: readonly Rule[]) =>
  Promise.all(
    rules.map(async ({ uuid }) => {
      const [row] = await serviceQuery(
        app.db,
        'select value_lower as lower, value_upper as upper, debounce, priority, version from tocsin.rule where uuid = $1',
        [uuid],
      );
      return row;
    }),
  );

test('what is given is changed in all, what is not stays in each, and each change is recorded', async () => {
  const rules = [await addRule('One'), await addRule('Two', { value_lower: 1, value_upper: 6 })];
  const { row, refusal } = await change(rules, { priority: 'high', debounce: 0, valueUpper: 5 });
  expect([row?.changedCount, refusal]).toEqual([2, undefined]);
  const same = { upper: 5, debounce: 0, priority: 'high', version: 2 };
  expect(await stored(rules)).toEqual([
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

test('one that it does not fit is named, and none is changed', async () => {
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

test('one that somebody changed since it was seen is named, and none is changed', async () => {
  const rules = [await addRule('Left alone'), await addRule('Changed meanwhile')];
  const listed = await list(manager, 'rules', 'uuid updatedAt');
  const seen = rules.map(({ uuid }) => listed.find((row) => row.uuid === uuid).updatedAt);
  app.clock.advance(1000);
  await update(manager, 'rule', rules[1]?.uuid ?? '', { debounce: 7 });
  const before = await stored(rules);
  const { refusal } = await change(rules, { seen, priority: 'low' });
  expect(refusal).toEqual({
    code: 'CONFLICT',
    message: `Changed meanwhile, ${station.site.name}: Somebody changed it meanwhile.`,
  });
  expect(await stored(rules)).toEqual(before);
  expect((await change(rules.slice(0, 1), { seen, priority: 'low' })).refusal?.field).toBe('seen');
  expect((await change(rules.slice(0, 1), { seen: seen.slice(0, 1), priority: 'low' })).refusal).toBeUndefined();
});

test.each([
  ['no rule', () => [], { debounce: 1 }, 'Change 1 to 1,000 rules at once.'],
  ['nothing new', (rule: Rule) => [rule], {}, 'Nothing was changed, because no new value was given.'],
  ['one that is gone', (rule: Rule) => [rule, { ...rule, uuid: nobody }], { debounce: 1 }, /^One of these rules is no/],
  ['too many', (rule: Rule) => Array(1001).fill(rule), { debounce: 1 }, 'Change 1 to 1,000 rules at once.'],
])('%s is refused as a whole', async (_what, which, values, sentence) => {
  const rule = await addRule('Refused');
  const { refusal } = await change(which(rule), values);
  expect(refusal).toMatchObject({ code: 'BAD_USER_INPUT', field: 'rules' });
  expect(refusal?.message).toMatch(sentence);
  expect(await stored([rule])).toMatchObject([{ debounce: 60, version: 1 }]);
});

test('operators and other customers change none', async () => {
  const rule = await addRule('Not theirs');
  for (const person of [staff.operator, (await app.staff()).owner]) {
    const { refusal } = await change([rule], { debounce: 1 }, await app.browser(person));
    expect(refusal).toBeDefined();
  }
  expect(await stored([rule])).toMatchObject([{ debounce: 60 }]);
});
