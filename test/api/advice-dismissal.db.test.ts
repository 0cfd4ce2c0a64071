/**
 * Dismissed advice for a rule is not offered again until the settings or the nuisance alarms of the rule change
 * materially.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import type { Plant, Rule, Station } from '../scenarios/plant.ts';
import { iso, startRulePlant } from './rule-plant.ts';

const HOUR = 3_600_000;

let plant: Plant;
let manager: TestBrowser;
let strangers: Record<string, TestBrowser>;
let station: Station;
let rule: Rule;
beforeAll(async () => {
  ({ plant, manager, strangers } = await startRulePlant());
  station = await plant.station();
  rule = await plant.rule(station, { name: 'Vibration', value_upper: 100 });
  await plant.alert(station.site, 'Vibration', { reasons: ['Pump starting', 'Bearing checked'] });
  await serviceQuery(plant.app.db, `update tocsin.reason set is_nuisance = true where reason = 'Pump starting'`);
});
afterAll(() => plant?.close());
beforeEach(async () => {
  await serviceQuery(plant.app.db, 'delete from tocsin.alarm');
  await serviceQuery(plant.app.db, 'delete from tocsin_private.advice_dismissal');
  for (let index = 1; index <= 4; index += 1) await addAlarm(-index * HOUR);
});

/** Adds a nuisance alarm that opens `after` milliseconds from now, or in the past if `after` is negative. */
async function addAlarm(after: number, reason = 'Pump starting'): Promise<void> {
  const at = iso(plant.app.clock.now().getTime() + after);
  await insertRow(plant.app.db, 'tocsin.alarm', {
    ...{ tocsin_customer_uuid: plant.customer.uuid, tocsin_site_uuid: station.site.uuid, site_name: station.site.name },
    ...{ rule_uuid: rule.uuid, rule_name: 'Vibration', message: `Vibration ${at} ${reason}`, source: 'limits', reason },
    ...{ created_at: at, date_time: at, resolved_date: at, acknowledge_json: JSON.stringify({ at }) },
  });
}

const dismiss = (browser: TestBrowser, note: string) =>
  browser.graphql(
    `mutation ($rule: UUID!, $note: String!) { dismissAdvice(input: { ruleUuid: $rule, note: $note }) {
       dismissal { note userName dismissedAt } } }`,
    { rule: rule.uuid, note },
  );
const resume = (browser: TestBrowser) =>
  browser.graphql('mutation ($rule: UUID!) { resumeAdvice(input: { ruleUuid: $rule }) { resumed } }', {
    rule: rule.uuid,
  });
const noteOf = async () =>
  (await manager.data('query ($rule: UUID!) { rule(uuid: $rule) { adviceDismissal { note } } }', { rule: rule.uuid }))
    .rule.adviceDismissal?.note ?? null;

/** Returns whether the performance report shows the advice for the rule as dismissed. */
async function isDismissedInReport(): Promise<boolean> {
  const now = plant.app.clock.now().getTime();
  const { reportPerformance } = await manager.data(
    `query ($from: Datetime!, $to: Datetime!) { reportPerformance(rangeFrom: $from, rangeTo: $to) {
       rules { uuid nuisance isAdviceDismissed } } }`,
    { from: iso(now - 48 * HOUR), to: iso(now + 48 * HOUR) },
  );
  return reportPerformance.rules.find(({ uuid }: { uuid: string }) => uuid === rule.uuid).isAdviceDismissed;
}

test('advice is dismissed with a note and taken up again, and the audit trail records both', async () => {
  expect(await noteOf()).toBeNull();
  const { data } = await dismiss(manager, '  The pump is exchanged in May.  ');
  expect(data.dismissAdvice.dismissal).toMatchObject({
    note: 'The pump is exchanged in May.',
    userName: 'Mia Manager',
  });
  expect([await noteOf(), await isDismissedInReport()]).toEqual(['The pump is exchanged in May.', true]);
  expect((await resume(manager)).data.resumeAdvice.resumed).toBe(true);
  expect([await noteOf(), await isDismissedInReport()]).toEqual([null, false]);
  expect((await resume(manager)).data.resumeAdvice.resumed).toBe(false);
  const trail = await serviceQuery(
    plant.app.db,
    `select action, user_display_name as name, row_key as key from tocsin.audit where noun = 'advice_dismissal' and tocsin_user_uuid is not null
     order by id`,
  );
  expect(trail).toEqual([
    { action: 'advice_dismissal.create', name: 'Mia Manager', key: rule.uuid },
    { action: 'advice_dismissal.delete', name: 'Mia Manager', key: rule.uuid },
  ]);
});

test('a dismissal ends when a setting that advice can change is changed, not when the rule is renamed', async () => {
  await dismiss(manager, 'Not now');
  const change = (columns: string) =>
    serviceQuery(plant.app.db, `update tocsin.rule set ${columns} where uuid = $1`, [rule.uuid]);
  await change(`message = 'Check the bearing'`);
  expect(await noteOf()).toBe('Not now');
  await change('debounce = 30');
  expect([await noteOf(), await isDismissedInReport()]).toEqual([null, false]);
  await change('debounce = 0');
  expect(await noteOf()).toBe('Not now');
});

test('a dismissal ends after as many new nuisance alarms as before', async () => {
  await dismiss(manager, 'Not now');
  for (let index = 1; index <= 3; index += 1) await addAlarm(index * 60_000);
  await addAlarm(10 * 60_000, 'Bearing checked');
  expect(await noteOf()).toBe('Not now');
  await addAlarm(5 * 60_000);
  expect([await noteOf(), await isDismissedInReport()]).toEqual([null, false]);
  // The manager can dismiss the advice again after new alarms have ended the first dismissal.
  await dismiss(manager, 'Still not');
  expect(await noteOf()).toBe('Still not');
});

test('a dismissal ends after three new nuisance alarms if there were fewer before', async () => {
  await serviceQuery(plant.app.db, 'delete from tocsin.alarm');
  await addAlarm(-HOUR);
  await dismiss(manager, 'Not now');
  await addAlarm(60_000);
  await addAlarm(120_000);
  expect(await noteOf()).toBe('Not now');
  await addAlarm(180_000);
  expect(await noteOf()).toBeNull();
});

test.each([
  ['', 'Enter why you do not want this advice.'],
  ['  ', 'Enter why you do not want this advice.'],
  ['x'.repeat(501), 'Enter a note of at most 500 characters.'],
])('refuses the note %j at its field', async (note, message) => {
  const { errors } = await dismiss(manager, note);
  expect(errors?.[0]).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT', field: 'note' } });
});

test('dismissing advice is refused for everybody who is not allowed to change the rule', async () => {
  for (const [who, browser] of Object.entries(strangers)) {
    expect((await dismiss(browser, 'Not now')).errors?.length, who).toBe(1);
    const { data } = await resume(browser);
    expect(data?.resumeAdvice?.resumed ?? false, who).toBe(false);
  }
  expect(await noteOf()).toBeNull();
});
