/** Acknowledgements with a nuisance reason, and causes of suppression, in the alarm performance report. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HandClock } from '../../server/platform/clock.ts';
import { createCustomer, createUser, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { PASSWORD, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';

const NOW = new Date('2026-06-10T10:20:00Z');
const [from, to] = [new Date('2026-06-01T00:00:00Z'), new Date('2026-06-11T00:00:00Z')];
const RULE = '10000000-0000-4000-8000-000000000001';
const OTHER = '10000000-0000-4000-8000-000000000002';

let app: TestApp;
let own: { tocsin_customer_uuid: string };
let site: { uuid: string };
let owner: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ clock: new HandClock(NOW) });
  const customer = await createCustomer(app.db);
  own = { tocsin_customer_uuid: customer.uuid };
  owner = await app.browser(await createUser(app.db, { customer, level: 0, password: PASSWORD }));
  site = await insertRow<{ uuid: string }>(app.db, 'tocsin.site', { ...own, site_id: 'P-1', name: 'Pump' });
  const alert = await insertRow<{ uuid: string }>(app.db, 'tocsin.rule_alert', {
    ...{ ...own, tocsin_site_uuid: site.uuid, tocsin_rule_name: 'Vibration' },
  });
  for (const [reason, isNuisance] of [
    ['Pump starting', true],
    ['Bearing checked', false],
  ]) {
    await insertRow(app.db, 'tocsin.reason', { ...own, rule_uuid: alert.uuid, reason, is_nuisance: isNuisance });
  }
  const reasons = ['pump starting', 'Pump starting', 'Bearing checked', 'Something else', null];
  for (const [index, reason] of reasons.entries()) await addAlarm(RULE, 'Vibration', reason, index);
  // Another rule has a reason with the same text that is not marked as nuisance.
  await addAlarm(OTHER, 'Pressure', 'Pump starting', 9);
});
afterAll(() => app?.close());

function addAlarm(rule: string, name: string, reason: string | null, hour: number) {
  const at = new Date(Date.parse('2026-06-05T00:00:00Z') + hour * 3_600_000);
  return insertRow<{ uuid: string }>(app.db, 'tocsin.alarm', {
    ...{ ...own, tocsin_site_uuid: site.uuid, site_name: 'Pump', rule_uuid: rule, rule_name: name, source: 'limits' },
    ...{ message: `${name} ${hour}`, created_at: at, date_time: at, resolved_date: at, reason },
    acknowledge_json: reason === null ? null : JSON.stringify({ at: at.toISOString() }),
    recipients: JSON.stringify({
      alert: [{ uuid: RULE, name: 'Ann', methods: [{ method: 1, address: 'a' }] }],
      escalate: [],
    }),
  });
}

const report = async () =>
  (
    await owner.data(
      `query ($from: Datetime!, $to: Datetime!) { reportPerformance(rangeFrom: $from, rangeTo: $to) {
         rules { uuid alarms acknowledged nuisance } causes { kind cause alarms } } }`,
      { from, to },
    )
  ).reportPerformance;

const list = async (only: string, more: Record<string, unknown> = {}) =>
  (
    await owner.data(
      `query ($from: Datetime!, $to: Datetime!, $only: String, $cause: String, $rule: UUID) {
         alarmReport(rangeFrom: $from, rangeTo: $to, only: $only, cause: $cause, ofRule: $rule, first: 50) { nodes { message } } }`,
      { from, to, only, ...more },
    )
  ).alarmReport.nodes.map(({ message }: { message: string }) => message);

test('counts acknowledgements with a nuisance reason of the rule, and lists exactly these alarms', async () => {
  expect((await report()).rules).toEqual([
    { uuid: RULE, alarms: 5, acknowledged: 4, nuisance: 2 },
    { uuid: OTHER, alarms: 1, acknowledged: 1, nuisance: 0 },
  ]);
  expect((await list('nuisance')).toSorted()).toEqual(['Vibration 0', 'Vibration 1']);
  expect(await list('nuisance', { rule: OTHER })).toEqual([]);
});

test('counts a reason as it is marked now', async () => {
  await serviceQuery(app.db, `update tocsin.reason set is_nuisance = false where reason = 'Pump starting'`);
  expect((await report()).rules[0]).toMatchObject({ acknowledged: 4, nuisance: 0 });
  expect(await list('nuisance')).toEqual([]);
  await serviceQuery(app.db, `update tocsin.reason set is_nuisance = true where reason = 'Pump starting'`);
});

test('includes the nuisance columns in the file of the rules', async () => {
  const { body } = await owner.get('/api/v1/reports/performance-rules.csv?from=2026-06-01&to=2026-06-10');
  const [header, first, second] = body
    .split(/\r?\n/)
    .filter((line) => line.includes('uisance') || line.includes('Pump'));
  expect(header).toMatch(/Acknowledged.*With a nuisance reason.*Nuisance \(%\)/);
  expect(first).toMatch(/Vibration.*4.*2.*50/);
  expect(second).toMatch(/Pressure.*1.*0.*0/);
});

test('counts an alarm whose opening was suppressed under the reason of the suppression', async () => {
  const { uuid } = await addAlarm(OTHER, 'Pressure', null, 20);
  await insertRow(app.db, 'tocsin.alarm_event', {
    ...{
      ...own,
      tocsin_alarm_uuid: uuid,
      at: new Date('2026-06-05T20:00:00Z'),
      kind: 'not-notified',
      sentence: 'In a digest.',
    },
    detail: JSON.stringify({ because: 'flood', stage: 'flood', suppressed: 'opening' }),
  });
  expect((await report()).causes).toEqual([{ kind: 'suppressed', cause: 'flood', alarms: 1 }]);
  expect(await list('suppressed', { cause: 'flood' })).toEqual(['Pressure 20']);
  expect(await list('suppressed', { cause: '' })).toEqual([]);
});

test('counts an alarm that opened during maintenance as suppressed by it', async () => {
  const { uuid } = await addAlarm(OTHER, 'Pressure', null, 30);
  await serviceQuery(app.db, `update tocsin.alarm set opened_quiet = 'maintenance' where uuid = $1`, [uuid]);
  expect((await report()).causes).toContainEqual({ kind: 'suppressed', cause: 'maintenance', alarms: 1 });
  expect(await list('suppressed', { cause: 'maintenance' })).toEqual(['Pressure 30']);
});
